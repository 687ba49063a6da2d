package dev.once.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.once.Fingerprint;
import dev.once.Key;
import dev.once.Outcome;
import dev.once.Payload;
import dev.once.Sealing;
import dev.once.StoreException;
import dev.once.internal.Limits;
import dev.once.spi.Claim;
import dev.once.spi.DeferredInterrupt;
import dev.once.spi.OutcomeCache;
import dev.once.spi.Packing;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Caches completed outcomes in Redis, where all nodes find them. It is used alone, or as the second
 * tier of a near cache in memory. While Redis is unavailable, at first or later, the store answers.
 *
 * <p>An entry ends before its record does: by Redis's clock, and, in case Redis received it late,
 * by its deadline, which nodes check with their own clocks. An empty entry marks that no outcome
 * may be cached, and no outcome overwrites it.
 *
 * <p>Safe for many threads. Close it after the engine that uses it.
 */
public final class RedisCache implements OutcomeCache, AutoCloseable {
  /** A find should not take longer than the call to the store that it saves. */
  private static final Duration FIND_TIMEOUT = Duration.ofMillis(50);

  private static final Duration KEEP_TIMEOUT = Duration.ofSeconds(1);
  private static final Duration FORGET_TIMEOUT = Duration.ofSeconds(2);
  private static final Duration PAUSE = Duration.ofSeconds(1);

  /** For the time until Redis receives an entry and starts to count. */
  private static final Duration MARGIN = KEEP_TIMEOUT;

  /** The most bytes that are being sent; further outcomes are not cached. */
  private static final long MAX_BYTES_UNDERWAY = 8 << 20;

  private static final long COMMAND_BYTES = 512;

  /** What is found in place of an outcome that was forgotten. */
  private static final byte[] MARK = {};

  /**
   * Outlasts every call that may still be about to cache the removed outcome. The only cost is that
   * the next outcome of that key is not cached.
   */
  private static final Duration MARK_LIFE = Duration.ofHours(1);

  private final String prefix;
  private final Sealing sealing;
  private final Packing packing;
  private final InstantSource clock;
  private final CacheConnection cacheConnection;
  private final Breaker breaker = new Breaker(PAUSE, System::nanoTime);
  private final AtomicLong bytesUnderway = new AtomicLong();
  private final LongAdder hits = new LongAdder();
  private final LongAdder misses = new LongAdder();
  private final LongAdder failures = new LongAdder();

  private RedisCache(
      String environment, Sealing sealing, InstantSource clock, CacheConnection cacheConnection) {
    this.prefix = KeyNames.of("idempo", environment);
    this.sealing = sealing;
    this.packing = Packing.of(sealing);
    this.clock = clock;
    this.cacheConnection = cacheConnection;
  }

  /**
   * Returns a cache in the Redis at {@code uri}, with its own client.
   *
   * @param environment a part of every name, for several installations on one Redis
   */
  public static RedisCache connect(RedisURI uri, String environment) {
    return connect(uri, environment, Sealing.NONE);
  }

  /** Returns such a cache that encrypts its outcomes, and ignores those that it finds in plain. */
  public static RedisCache connect(RedisURI uri, String environment, Sealing sealing) {
    return connect(uri, environment, sealing, InstantSource.system());
  }

  /** Returns such a cache with a clock for its deadlines, for tests. */
  static RedisCache connect(
      RedisURI uri, String environment, Sealing sealing, InstantSource clock) {
    Limits.length("environment", environment, 1, Key.MAX_TENANT_CHARS);
    return new RedisCache(environment, sealing, clock, CacheConnection.to(uri));
  }

  @Override
  public Optional<Claim.Replay> find(Key key, Fingerprint fingerprint) {
    if (!breaker.allows()) {
      return Optional.empty();
    }
    byte[] packed;
    try {
      packed = await(redis -> redis.get(nameOf(key)), FIND_TIMEOUT);
    } catch (StoreException e) {
      breaker.failed();
      failures.increment();
      return Optional.empty();
    }
    breaker.succeeded();
    Optional<Claim.Replay> found = read(key, fingerprint, packed);
    (found.isPresent() ? hits : misses).increment();
    return found;
  }

  /** Sends the outcome, and does not wait for the answer. */
  @Override
  public void keep(Key key, Fingerprint fingerprint, Claim.Replay replay, Supplier<Duration> left) {
    Instant now = clock.instant();
    Duration life = left.get().minus(MARGIN);
    if (life.isNegative() || life.isZero() || !breaker.allows()) {
      return;
    }
    RedisEntry entry = new RedisEntry(fingerprint, replay, now.plus(life));
    byte[] packed = packing.pack(key, Outcome.completed(Payload.of(entry.toBytes())));
    long bytes = packed.length + COMMAND_BYTES;
    if (bytesUnderway.addAndGet(bytes) > MAX_BYTES_UNDERWAY) {
      bytesUnderway.addAndGet(-bytes);
      return;
    }
    var unused =
        send(nameOf(key), packed, SetArgs.Builder.nx().px(life))
            .orTimeout(KEEP_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
            .whenComplete((answer, failure) -> sent(bytes, failure));
  }

  /**
   * Replaces the outcome by a mark, so that no node finds it in Redis any more.
   *
   * @throws StoreException if Redis did not confirm it: do not expire the record, try again
   */
  @Override
  public void forget(Key key) {
    SetArgs terms = SetArgs.Builder.px(MARK_LIFE);
    await(redis -> redis.set(nameOf(key), MARK, terms), FORGET_TIMEOUT);
  }

  /** Returns the counts of all calls so far. */
  public Stats stats() {
    return new Stats(hits.sum(), misses.sum(), failures.sum());
  }

  /** Ends the connection to Redis. The cache must not be used any more. */
  @Override
  public void close() {
    cacheConnection.close();
  }

  private CompletableFuture<String> send(byte[] name, byte[] packed, SetArgs terms) {
    try {
      return commands().set(name, packed, terms).toCompletableFuture();
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private void sent(long bytes, @Nullable Throwable failure) {
    bytesUnderway.addAndGet(-bytes);
    if (failure != null) {
      failures.increment();
    }
    // A server that refuses writes, because its memory is full for example, can still be read.
    if (failure == null || failure instanceof RedisCommandExecutionException) {
      breaker.succeeded();
    } else {
      breaker.failed();
    }
  }

  private Optional<Claim.Replay> read(Key key, Fingerprint fingerprint, byte @Nullable [] packed) {
    if (packed == null || packed.length == 0 || isForged(packed)) {
      return Optional.empty();
    }
    try {
      Payload content = packing.unpack(key, packed).payload();
      RedisEntry entry = RedisEntry.parse(((Payload.Bytes) content).toArray());
      return clock.instant().isBefore(entry.deadline()) && entry.fingerprint().matches(fingerprint)
          ? Optional.of(entry.replay())
          : Optional.empty();
    } catch (RuntimeException e) {
      // Damaged, sealed with an unknown key, or of another release: the store answers instead.
      failures.increment();
      return Optional.empty();
    }
  }

  /** Returns whether the seal is missing: a forged entry could be plain, but not sealed. */
  private boolean isForged(byte[] packed) {
    return sealing.ring().isPresent() && !Packing.isSealed(packed);
  }

  private RedisAsyncCommands<byte[], byte[]> commands() {
    return cacheConnection
        .commands()
        .orElseThrow(() -> new StoreException("Redis is not connected", null));
  }

  /** Waits for an answer, for {@code patience} at most. An interrupt is restored afterwards. */
  private <T extends @Nullable Object> T await(
      Function<RedisAsyncCommands<byte[], byte[]>, RedisFuture<T>> command, Duration patience) {
    long deadline = System.nanoTime() + patience.toNanos();
    try (DeferredInterrupt interrupt = DeferredInterrupt.begin()) {
      RedisFuture<T> answer = command.apply(commands());
      try {
        while (true) {
          try {
            return answer.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            boolean unused = interrupt.clear();
          }
        }
      } finally {
        answer.cancel(false);
      }
    } catch (TimeoutException e) {
      throw new StoreException("Redis did not answer within " + patience, e);
    } catch (ExecutionException | RedisException e) {
      throw new StoreException("Redis failed: " + e.getMessage(), e);
    }
  }

  private byte[] nameOf(Key key) {
    return RecordKey.of(prefix, key).getBytes(UTF_8);
  }

  /**
   * The counts of all calls so far. A lookup that is skipped because Redis did not answer before is
   * not counted.
   *
   * @param failures how often Redis did not answer, refused, or returned an unreadable entry
   */
  public record Stats(long hits, long misses, long failures) {}
}
