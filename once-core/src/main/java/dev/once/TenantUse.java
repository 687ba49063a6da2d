package dev.once;

import dev.once.spi.Usage;
import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What one tenant has: its effects in flight in this engine, which are counted, and its records,
 * which are measured at intervals. Between two measurements, the keys granted by this engine are
 * added to the last one; keys granted by other engines are not seen, and expired keys still count.
 */
final class TenantUse {
  static final Duration MEASURE_EVERY = Duration.ofSeconds(5);

  /**
   * A large tenant is measured less often, so that measuring takes at most a hundredth of the time.
   */
  static final int MEASURE_SHARE = 100;

  private final LongSupplier nanos;

  // Guarded by this.
  private long inFlight;
  private Usage measured = Usage.NONE;
  private long grantedSince;
  private long grantedMeanwhile;
  private boolean measuring;
  private long nextNanos;

  TenantUse(LongSupplier nanos) {
    this.nanos = nanos;
    this.nextNanos = nanos.getAsLong();
  }

  /** Takes a place among the effects in flight, if one is free. */
  synchronized boolean enter(long max) {
    if (inFlight >= max) {
      return false;
    }
    inFlight++;
    return true;
  }

  synchronized void leave() {
    if (inFlight == 0) {
      throw new AssertionError("more effects ended than began");
    }
    inFlight--;
  }

  /** Whether only a measurement is lost if this object is dropped. */
  synchronized boolean isIdle() {
    return inFlight == 0;
  }

  synchronized boolean isMeasured() {
    return grantedSince > 0 || !measured.equals(Usage.NONE);
  }

  synchronized void grantedNewKey() {
    grantedSince++;
    grantedMeanwhile++;
  }

  /**
   * What the tenant has, as far as known. New keys count with the average bytes of the measured
   * ones.
   */
  synchronized Usage usage() {
    long average = measured.keys() == 0 ? 0 : measured.bytes() / measured.keys();
    return new Usage(measured.keys() + grantedSince, measured.bytes() + grantedSince * average);
  }

  /**
   * Measures with {@code source} if a measurement is due. One caller measures, the others do not
   * wait for it. If that fails, the last measurement stays valid: an unavailable store refuses the
   * claim anyway.
   */
  void measure(Supplier<Usage> source) {
    if (!begin()) {
      return;
    }
    long started = nanos.getAsLong();
    @Nullable Usage found = null;
    try {
      found = source.get();
    } catch (OnceException e) {
      // Tried again after the next pause.
    } finally {
      end(found, started);
    }
  }

  private synchronized boolean begin() {
    if (measuring || nanos.getAsLong() - nextNanos < 0) {
      return false;
    }
    measuring = true;
    grantedMeanwhile = 0;
    return true;
  }

  private synchronized void end(@Nullable Usage found, long startedNanos) {
    if (found != null) {
      measured = found;
      grantedSince = grantedMeanwhile;
    }
    long now = nanos.getAsLong();
    nextNanos = now + Math.max(MEASURE_EVERY.toNanos(), MEASURE_SHARE * (now - startedNanos));
    measuring = false;
  }
}
