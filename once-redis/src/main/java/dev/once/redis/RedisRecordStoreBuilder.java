package dev.once.redis;

import dev.once.Sealing;
import dev.once.StoreException;
import dev.once.internal.Limits;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.time.Duration;
import java.util.function.Function;
import java.util.function.Supplier;

/** Settings of a {@link RedisRecordStore}. Thrown away after {@link #build}. */
public final class RedisRecordStoreBuilder {
  /** Well below an ordinary lease, so that a heartbeat without an answer is sent again in time. */
  public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(3);

  private static final int MAX_PREFIX_CHARS = 64;

  private final AbstractRedisClient client;
  private final Function<Duration, Scripting> scripting;
  private final Supplier<StatefulRedisPubSubConnection<String, String>> subscribing;
  private Runnable afterClose = () -> {};
  private String prefix = "once";
  private Sealing sealing = Sealing.NONE;
  private Duration timeout = DEFAULT_TIMEOUT;

  RedisRecordStoreBuilder(RedisClient client) {
    this.client = client;
    this.scripting =
        limit -> {
          StatefulRedisConnection<byte[], byte[]> it = client.connect(ByteArrayCodec.INSTANCE);
          return new Scripting(it, ConnectionWait.of(client, limit), limit);
        };
    this.subscribing = () -> client.connectPubSub(StringCodec.UTF8);
  }

  RedisRecordStoreBuilder(RedisClusterClient client) {
    this.client = client;
    this.scripting =
        limit -> {
          StatefulRedisClusterConnection<byte[], byte[]> it =
              client.connect(ByteArrayCodec.INSTANCE);
          return new Scripting(it, ConnectionWait.of(client, limit), limit);
        };
    this.subscribing = () -> client.connectPubSub(StringCodec.UTF8);
  }

  /** Sets what the names of all records begin with, {@code once} by default. */
  public RedisRecordStoreBuilder prefix(String prefix) {
    Limits.text("prefix", prefix, 1, MAX_PREFIX_CHARS);
    if (prefix.indexOf(':') >= 0) {
      throw new IllegalArgumentException("prefix must have no colon, which ends it: " + prefix);
    }
    this.prefix = prefix;
    return this;
  }

  /** Sets the keys that outcomes are encrypted with; by default they are not encrypted. */
  public RedisRecordStoreBuilder sealing(Sealing sealing) {
    this.sealing = sealing;
    return this;
  }

  /** Sets how long a call waits for Redis before it fails, {@link #DEFAULT_TIMEOUT} by default. */
  public RedisRecordStoreBuilder timeout(Duration timeout) {
    Limits.range("timeout", timeout, Duration.ofMillis(1), Duration.ofMinutes(1));
    this.timeout = timeout;
    return this;
  }

  RedisRecordStoreBuilder ownsClient() {
    this.afterClose = () -> ReconnectPolicy.shutdown(client);
    return this;
  }

  /**
   * Connects, and returns the store.
   *
   * @throws IllegalArgumentException if the client would send commands again that may have been
   *     executed, or waits longer than a second before it connects again
   * @throws StoreException if Redis cannot be reached
   */
  public RedisRecordStore build() {
    requireNoReplay(client.getOptions());
    ReconnectPolicy.requireShortPauses(client.getResources());
    try {
      return new RedisRecordStore(
          scripting.apply(timeout), new ChangeSignals(subscribing), sealing, prefix, afterClose);
    } catch (RedisException e) {
      afterClose.run();
      throw new StoreException("cannot connect to Redis: check its address, and that it runs", e);
    }
  }

  /**
   * Refuses a client that sends commands without an answer again after a lost connection, as
   * Lettuce does by default. Most operations would tolerate that, because they carry the fence. An
   * operator's would not: a record that is reopened a second time may have a new owner by then.
   */
  private static void requireNoReplay(ClientOptions options) {
    boolean replays =
        options.isAutoReconnect()
            && !options.getReplayFilter().test(new Command<>(CommandType.EVALSHA, null));
    if (replays) {
      throw new IllegalArgumentException(
          "the client sends commands again after a lost connection: give it"
              + " RedisRecordStore.options(), or set replayFilter as they do");
    }
  }
}
