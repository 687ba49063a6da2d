package dev.once.redis;

import com.github.benmanes.caffeine.cache.Ticker;
import dev.once.Fingerprint;
import dev.once.Key;
import dev.once.Sealing;
import dev.once.StoreException;
import dev.once.spi.Claim;
import dev.once.spi.Limits;
import dev.once.spi.OutcomeCache;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps completed outcomes in memory and, if it is given one, in Redis, so that a replay takes no
 * trip to the store. It is filled by the call that executed, and by nothing else.
 *
 * <p>What an operator expires is forgotten here and in Redis before the store forgets it. Other
 * nodes may have it in memory, and replay it for {@link Builder#maxAge} at most.
 *
 * <p>Safe for many threads. Close it when the engine that uses it is closed.
 */
public final class NearCache implements OutcomeCache, AutoCloseable {
  /**
   * Outlasts every call that may still be about to keep what was forgotten. All it costs is that
   * the next outcome under that key is not kept here.
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

  /** Begins a cache in memory alone. */
  public static Builder builder() {
    return new Builder();
  }

  @Override
  public Optional<Claim.Replay> find(Key key, Fingerprint fingerprint) {
    Optional<Claim.Replay> found = memory.find(key, fingerprint);
    counts.memoryAsked(found.isPresent());
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

  /** What came of all calls so far. */
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
   * What came of all calls so far, and what memory holds. Redis is asked for what memory has not.
   *
   * @param redisFailures how often Redis did not answer, or not with something that can be read
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

  /** Makes a cache. */
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

    /** How much memory outcomes may take together, none with 0. An eighth of it is the largest. */
    public Builder maxBytes(long maxBytes) {
      if (maxBytes < 0) {
        throw new IllegalArgumentException("bytes must not be negative, got " + maxBytes);
      }
      this.maxBytes = maxBytes;
      return this;
    }

    /**
     * How long an outcome stays in memory at most, and with it how long this node may replay what
     * an operator has expired on another one.
     */
    public Builder maxAge(Duration maxAge) {
      Limits.range("age", maxAge, Duration.ofMillis(1), LONGEST_MAX_AGE);
      this.maxAge = maxAge;
      return this;
    }

    /**
     * Keeps outcomes in a Redis too, where all nodes find them. It need not be there: not now and
     * not later.
     *
     * @param environment the first part of every name, for several installations on one Redis
     */
    public Builder redis(RedisURI uri, String environment) {
      Limits.length("environment", environment, 1, Key.MAX_TENANT_CHARS);
      this.uri = uri;
      this.environment = environment;
      return this;
    }

    /** Encrypts what is kept in Redis. What is in memory is not encrypted. */
    public Builder sealing(Sealing sealing) {
      this.sealing = sealing;
      return this;
    }

    /** Moves the time of memory, in tests. */
    Builder ticker(Ticker ticker) {
      this.ticker = ticker;
      return this;
    }

    /** Moves the time of entries in Redis, in tests. */
    Builder clock(InstantSource clock) {
      this.clock = clock;
      return this;
    }

    public NearCache build() {
      return new NearCache(this);
    }
  }
}
