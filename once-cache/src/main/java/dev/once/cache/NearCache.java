package dev.once.cache;

import com.github.benmanes.caffeine.cache.Ticker;
import dev.once.Fingerprint;
import dev.once.Key;
import dev.once.StoreException;
import dev.once.internal.Limits;
import dev.once.spi.Claim;
import dev.once.spi.OutcomeCache;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

/**
 * Caches completed outcomes in memory, so that a replay does not call the store. Only the call that
 * executed an effect fills it. If nodes share a cache, such as one in Redis, it is the second tier:
 * outcomes that are not in memory are looked up there, and are not copied into memory.
 *
 * <p>An outcome that an operator expires is removed here and from the shared cache before the store
 * expires it. Other nodes may have it in memory, and replay it for {@link Builder#maxAge} at most.
 *
 * <p>Safe for many threads. There is nothing to close; the shared cache stays open.
 */
public final class NearCache implements OutcomeCache {
  /**
   * Outlasts every call that may still be about to cache the removed outcome. The only cost is that
   * the next outcome of that key is not cached.
   */
  private static final Duration MARK_LIFE = Duration.ofHours(1);

  private final LongAdder hits = new LongAdder();
  private final LongAdder misses = new LongAdder();
  private final MemoryTier memory;
  private final OutcomeCache shared;

  private NearCache(Builder builder) {
    this.memory = new MemoryTier(builder.maxBytes, builder.maxAge, builder.ticker);
    this.shared = builder.shared;
  }

  /** Returns a builder of a cache in memory alone. */
  public static Builder builder() {
    return new Builder();
  }

  @Override
  public Optional<Claim.Replay> find(Key key, Fingerprint fingerprint) {
    Optional<Claim.Replay> found = memory.find(key, fingerprint);
    (found.isPresent() ? hits : misses).increment();
    return found.isPresent() ? found : shared.find(key, fingerprint);
  }

  @Override
  public void keep(Key key, Fingerprint fingerprint, Claim.Replay replay, Supplier<Duration> left) {
    memory.keep(key, fingerprint, replay, left);
    shared.keep(key, fingerprint, replay, left);
  }

  /**
   * Removes the outcome of {@code key} here and from the shared cache.
   *
   * @throws StoreException if the shared cache did not confirm it: do not expire the record, try
   *     again
   */
  @Override
  public void forget(Key key) {
    memory.forget(key, MARK_LIFE);
    shared.forget(key);
  }

  /** Returns the counts of all lookups so far, and the size of the cache. */
  public Stats stats() {
    return new Stats(hits.sum(), misses.sum(), memory.entries(), memory.bytes());
  }

  /**
   * The counts of all lookups in memory so far, and its size. The shared cache is not counted.
   *
   * @param entries how many outcomes are in memory
   * @param bytes how much memory they take
   */
  public record Stats(long hits, long misses, long entries, long bytes) {}

  /** Builds a cache. */
  public static final class Builder {
    public static final long DEFAULT_MAX_BYTES = 64 << 20;

    /** Retries come within seconds; those that come later are few enough for the store. */
    public static final Duration DEFAULT_MAX_AGE = Duration.ofMinutes(1);

    private static final Duration LONGEST_MAX_AGE = Duration.ofDays(1);

    private long maxBytes = DEFAULT_MAX_BYTES;
    private Duration maxAge = DEFAULT_MAX_AGE;
    private OutcomeCache shared = OutcomeCache.NONE;
    private Ticker ticker = Ticker.systemTicker();

    private Builder() {}

    /** Sets how much memory all outcomes may take, 0 for none. One may take an eighth of it. */
    public Builder maxBytes(long maxBytes) {
      if (maxBytes < 0) {
        throw new IllegalArgumentException("bytes must not be negative, got " + maxBytes);
      }
      this.maxBytes = maxBytes;
      return this;
    }

    /**
     * Sets how long an outcome stays in memory at most, and with it how long this node may replay
     * an outcome that an operator has expired on another node.
     */
    public Builder maxAge(Duration maxAge) {
      Limits.range("age", maxAge, Duration.ofMillis(1), LONGEST_MAX_AGE);
      this.maxAge = maxAge;
      return this;
    }

    /**
     * Caches outcomes in {@code shared} too, where all nodes find them. The application closes it,
     * after the engine.
     */
    public Builder shared(OutcomeCache shared) {
      this.shared = shared;
      return this;
    }

    /**
     * Sets the clock that the age of outcomes in memory is measured with, for tests that give the
     * store a clock too. By default it is the monotonic clock of the process, which a change of the
     * system's time does not affect.
     */
    public Builder clock(InstantSource clock) {
      Instant start = clock.instant();
      this.ticker = () -> Duration.between(start, clock.instant()).toNanos();
      return this;
    }

    public NearCache build() {
      return new NearCache(this);
    }
  }
}
