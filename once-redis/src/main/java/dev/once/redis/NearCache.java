package dev.once.redis;

import com.github.benmanes.caffeine.cache.Ticker;
import dev.once.Fingerprint;
import dev.once.Key;
import dev.once.Sealing;
import dev.once.StoreException;
import dev.once.internal.Limits;
import dev.once.spi.Claim;
import dev.once.spi.OutcomeCache;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Caches completed outcomes in memory and, if configured, in Redis, so that a replay does not call
 * the store. Only the call that executed an effect fills it.
 *
 * <p>An outcome that an operator expires is removed here and from Redis before the store expires
 * it. Other nodes may have it in memory, and replay it for {@link Builder#maxAge} at most.
 *
 * <p>Safe for many threads. Close it when the engine that uses it is closed.
 */
public final class NearCache implements OutcomeCache, AutoCloseable {
  /**
   * Outlasts every call that may still be about to cache the removed outcome. The only cost is that
   * the next outcome of that key is not cached.
   */
  private static final Duration FORGOTTEN = Duration.ofHours(1);

  private final CacheCounts counts = new CacheCounts();
  private final MemoryTier memory;
  private final @Nullable RedisTier redis;

  private NearCache(Builder builder) {
    this.memory = new MemoryTier(builder.maxBytes, builder.maxAge, builder.ticker);
    this.redis =
        builder.uri == null
            ? null
            : new RedisTier(
                builder.environment,
                builder.sealing,
                builder.clock,
                CacheConnection.to(builder.uri),
                counts);
  }

  /** Returns a builder of a cache in memory alone. */
  public static Builder builder() {
    return new Builder();
  }

  @Override
  public Optional<Claim.Replay> find(Key key, Fingerprint fingerprint) {
    Optional<Claim.Replay> found = memory.find(key, fingerprint);
    counts.memoryRead(found.isPresent());
    return found.isPresent() || redis == null ? found : redis.find(key, fingerprint);
  }

  @Override
  public void keep(Key key, Fingerprint fingerprint, Claim.Replay replay, Supplier<Duration> left) {
    memory.keep(key, fingerprint, replay, left);
    if (redis != null) {
      redis.keep(key, fingerprint, replay, left);
    }
  }

  /**
   * Removes the outcome of {@code key} here and in Redis.
   *
   * @throws StoreException if Redis did not confirm it: do not expire the record, try again
   */
  @Override
  public void forget(Key key) {
    memory.forget(key, FORGOTTEN);
    if (redis != null) {
      redis.forget(key, FORGOTTEN);
    }
  }

  /** Returns the counts of all calls so far. */
  public Stats stats() {
    return counts.with(memory);
  }

  /** Ends the connection to Redis. The cache must not be used any more. */
  @Override
  public void close() {
    if (redis != null) {
      redis.close();
    }
  }

  /**
   * The counts of all calls so far, and the size of memory. Redis is called for outcomes that are
   * not in memory.
   *
   * @param redisFailures how often Redis did not answer, refused, or returned an unreadable entry
   * @param entries how many outcomes are in memory
   * @param bytes how much memory they take
   */
  public record Stats(
      long memoryHits,
      long memoryMisses,
      long redisHits,
      long redisMisses,
      long redisFailures,
      long entries,
      long bytes) {}

  /** Builds a cache. */
  public static final class Builder {
    public static final long DEFAULT_MAX_BYTES = 64 << 20;

    /** Retries come within seconds; those that come later are few enough for the store. */
    public static final Duration DEFAULT_MAX_AGE = Duration.ofMinutes(1);

    private static final Duration LONGEST_MAX_AGE = Duration.ofDays(1);

    private long maxBytes = DEFAULT_MAX_BYTES;
    private Duration maxAge = DEFAULT_MAX_AGE;
    private @Nullable RedisURI uri;
    private String environment = "";
    private Sealing sealing = Sealing.NONE;
    private Ticker ticker = Ticker.systemTicker();
    private InstantSource clock = InstantSource.system();

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
     * Caches outcomes in a Redis too, where all nodes find them. Redis may be unavailable, now or
     * later.
     *
     * @param environment a part of every name, for several installations on one Redis
     */
    public Builder redis(RedisURI uri, String environment) {
      Limits.length("environment", environment, 1, Key.MAX_TENANT_CHARS);
      this.uri = uri;
      this.environment = environment;
      return this;
    }

    /** Encrypts outcomes in Redis. Outcomes in memory are not encrypted. */
    public Builder sealing(Sealing sealing) {
      this.sealing = sealing;
      return this;
    }

    /** Sets the clock of the entries in memory, for tests. */
    Builder ticker(Ticker ticker) {
      this.ticker = ticker;
      return this;
    }

    /** Sets the clock of the entries in Redis, for tests. */
    Builder clock(InstantSource clock) {
      this.clock = clock;
      return this;
    }

    public NearCache build() {
      return new NearCache(this);
    }
  }
}
