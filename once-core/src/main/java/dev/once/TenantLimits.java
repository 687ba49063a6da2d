package dev.once;

import dev.once.internal.Limits;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How much one tenant may have at a time, so that it leaves room for the others. At a limit only
 * new effects are refused: keys that have a record are still answered. Immutable; {@code
 * TenantLimits.NONE.withMaxInFlight(100)}.
 */
public final class TenantLimits {
  public static final long UNLIMITED = Long.MAX_VALUE;

  public static final TenantLimits NONE = new TenantLimits(UNLIMITED, UNLIMITED, UNLIMITED);

  private final long maxLiveKeys;
  private final long maxBytes;
  private final long maxInFlight;

  private TenantLimits(long maxLiveKeys, long maxBytes, long maxInFlight) {
    Limits.range("maxLiveKeys", maxLiveKeys, 1, UNLIMITED);
    Limits.range("maxBytes", maxBytes, 1, UNLIMITED);
    Limits.range("maxInFlight", maxInFlight, 1, UNLIMITED);
    this.maxLiveKeys = maxLiveKeys;
    this.maxBytes = maxBytes;
    this.maxInFlight = maxInFlight;
  }

  /**
   * Returns how many records that have not expired it may have; see {@link Once.Builder#limits} for
   * how exactly they are counted.
   */
  public long maxLiveKeys() {
    return maxLiveKeys;
  }

  /** Returns how many bytes of outcomes it may have in the store, as the store keeps them. */
  public long maxBytes() {
    return maxBytes;
  }

  /** Returns how many effects this engine may have been granted that have not ended. */
  public long maxInFlight() {
    return maxInFlight;
  }

  public TenantLimits withMaxLiveKeys(long max) {
    return new TenantLimits(max, maxBytes, maxInFlight);
  }

  public TenantLimits withMaxBytes(long max) {
    return new TenantLimits(maxLiveKeys, max, maxInFlight);
  }

  public TenantLimits withMaxInFlight(long max) {
    return new TenantLimits(maxLiveKeys, maxBytes, max);
  }

  /** Whether the limits require the tenant's usage of the store. */
  boolean needsUsage() {
    return maxLiveKeys != UNLIMITED || maxBytes != UNLIMITED;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof TenantLimits it
        && maxLiveKeys == it.maxLiveKeys
        && maxBytes == it.maxBytes
        && maxInFlight == it.maxInFlight;
  }

  @Override
  public int hashCode() {
    return Objects.hash(maxLiveKeys, maxBytes, maxInFlight);
  }

  /** The kinds of limits. */
  public enum Limit {
    LIVE_KEYS("live keys"),
    BYTES("bytes of outcomes"),
    IN_FLIGHT("effects in flight");

    private final String words;

    Limit(String words) {
      this.words = words;
    }

    String words() {
      return words;
    }
  }
}
