package dev.once.effects;

import dev.once.events.Aggregate;
import dev.once.events.Event;
import dev.once.events.EventEffect;
import dev.once.events.EventExecution;
import dev.once.events.UnprocessableEventException;
import dev.once.internal.Limits;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisScriptingAsyncCommands;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * Keeps an entry per aggregate in Redis, as the effect of an {@code EventConsumer}. An entry is a
 * hash with the fields {@code value} and {@code sequence}; applications read it by {@code HGET key
 * value}. One script compares the event's sequence with the stored one and writes, in one round
 * trip: events that come twice, late or in any order, and an owner that resumes after a pause, give
 * the same entries.
 *
 * <p>A deleted entry stays as a tombstone: the hash keeps {@code sequence} and has no {@code
 * value}, so {@code HGET} finds nothing. What Redis forgets, it cannot compare with: after the TTL
 * of an entry or a tombstone, an eviction or a lost write, an older event that comes late writes
 * its value. Tombstones have no TTL unless one is set; a TTL has to be longer than the time after
 * which events can still come, be redriven or be written by an owner that was paused.
 *
 * <p>A write that Redis confirmed is lost if Redis loses it, in a failover to a replica that was
 * behind for example. The entry is right again with the aggregate's next event.
 *
 * <p>Thread-safe. Close it after the consumer; the client stays open.
 */
public final class RedisEntryEffect implements EventEffect, AutoCloseable {
  /** The field of an entry that applications read. */
  public static final String VALUE_FIELD = "value";

  /** The field with the sequence of the event that wrote the entry. */
  public static final String SEQUENCE_FIELD = "sequence";

  private static final byte[] NO_TTL = {'0'};

  private final StatefulConnection<byte[], byte[]> connection;
  private final EntryScript script;
  private final String prefix;
  private final int maxValueBytes;
  private final byte[] entryTtl;
  private final byte[] tombstoneTtl;
  private final StateMapper mapper;

  private RedisEntryEffect(Builder settings, Connected connected, StateMapper mapper) {
    this.connection = connected.connection;
    this.script = new EntryScript(connected.commands, settings.timeout);
    this.prefix = settings.prefix;
    this.maxValueBytes = settings.maxValueBytes;
    this.entryTtl = ttl(settings.entryTtl);
    this.tombstoneTtl = ttl(settings.tombstoneTtl);
    this.mapper = mapper;
  }

  /** A connection and its commands. */
  private record Connected(
      StatefulConnection<byte[], byte[]> connection,
      RedisScriptingAsyncCommands<byte[], byte[]> commands) {}

  /**
   * Returns a builder of an effect on a single server.
   *
   * @param prefix what keys begin with: letters, digits, {@code . _ : -}, at most 64
   */
  public static Builder builder(RedisClient client, String prefix) {
    return new Builder(
        prefix,
        () -> {
          StatefulRedisConnection<byte[], byte[]> made = client.connect(ByteArrayCodec.INSTANCE);
          return new Connected(made, made.async());
        });
  }

  /** Returns a builder of an effect on a cluster. */
  public static Builder builder(RedisClusterClient client, String prefix) {
    return new Builder(
        prefix,
        () -> {
          StatefulRedisClusterConnection<byte[], byte[]> made =
              client.connect(ByteArrayCodec.INSTANCE);
          return new Connected(made, made.async());
        });
  }

  /** Returns the key of an aggregate's entry: the prefix, a colon and the aggregate's key. */
  public String keyOf(Aggregate aggregate) {
    return prefix + ":" + aggregate.key();
  }

  @Override
  public void apply(Event event, EventExecution execution) throws InterruptedException {
    StateChange change = mapper.map(event);
    if (change instanceof StateChange.None) {
      return;
    }
    byte[] key = ascii(keyOf(event.aggregate()));
    byte[] sequence = ascii(String.valueOf(event.sequence()));
    if (change instanceof StateChange.Put put) {
      requireFit(put.value().length);
      script.run(key, new byte[][] {sequence, entryTtl, put.value()});
    } else if (change instanceof StateChange.Delete) {
      script.run(key, new byte[][] {sequence, tombstoneTtl});
    } else {
      throw new AssertionError("unhandled change " + change);
    }
  }

  /** Ends the connection. */
  @Override
  public void close() {
    connection.close();
  }

  private void requireFit(int bytes) {
    if (bytes > maxValueBytes) {
      throw new UnprocessableEventException(
          "its value must have at most %d bytes, got %d".formatted(maxValueBytes, bytes));
    }
  }

  private static byte[] ttl(Optional<Duration> ttl) {
    return ttl.map(it -> ascii(String.valueOf(it.toMillis()))).orElse(NO_TTL);
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** The settings of {@link RedisEntryEffect}. */
  public static final class Builder {
    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(3);
    public static final Duration MAX_TIMEOUT = Duration.ofMinutes(1);
    public static final int DEFAULT_MAX_VALUE_BYTES = 1 << 20;
    public static final int MAX_VALUE_BYTES = 64 << 20;
    public static final Duration MAX_TTL = Duration.ofDays(3650);

    private static final Pattern PREFIX = Pattern.compile("[A-Za-z0-9._:-]{1,64}");

    private final String prefix;
    private final Supplier<Connected> connect;
    private Duration timeout = DEFAULT_TIMEOUT;
    private int maxValueBytes = DEFAULT_MAX_VALUE_BYTES;
    private Optional<Duration> entryTtl = Optional.empty();
    private Optional<Duration> tombstoneTtl = Optional.empty();

    private Builder(String prefix, Supplier<Connected> connect) {
      // No braces: a cluster would keep all keys on the node that they choose.
      if (!PREFIX.matcher(prefix).matches()) {
        throw new IllegalArgumentException(
            "prefix must have 1 to 64 letters, digits, dots, underscores, colons or minus signs,"
                + " got "
                + prefix);
      }
      this.prefix = prefix;
      this.connect = connect;
    }

    /** Sets how long an attempt waits for Redis, 3 s by default. */
    public Builder timeout(Duration timeout) {
      Limits.range("timeout", timeout, Duration.ofMillis(1), MAX_TIMEOUT);
      this.timeout = timeout;
      return this;
    }

    /** Sets the largest value, 1 MiB by default. */
    public Builder maxValueBytes(int bytes) {
      Limits.range("largest value", bytes, 1, MAX_VALUE_BYTES);
      this.maxValueBytes = bytes;
      return this;
    }

    /** Sets how long an entry is kept after its last event; for ever by default. */
    public Builder entryTtl(Duration ttl) {
      this.entryTtl = Optional.of(checked(ttl));
      return this;
    }

    /** Sets how long a tombstone is kept after the deletion; for ever by default. */
    public Builder tombstoneTtl(Duration ttl) {
      this.tombstoneTtl = Optional.of(checked(ttl));
      return this;
    }

    /**
     * Connects.
     *
     * @throws EffectException if Redis cannot be reached
     */
    public RedisEntryEffect build(StateMapper mapper) {
      try {
        return new RedisEntryEffect(this, connect.get(), mapper);
      } catch (RedisException e) {
        throw new EffectException(
            "cannot connect to Redis: check its address, and that it runs", e);
      }
    }

    private static Duration checked(Duration ttl) {
      Limits.range("TTL", ttl, Duration.ofMillis(1), MAX_TTL);
      return ttl;
    }
  }
}
