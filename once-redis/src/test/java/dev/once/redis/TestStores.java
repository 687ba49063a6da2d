package dev.once.redis;

import dev.once.testkit.TestRedis;
import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.resource.ClientResources;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;

/** The stores of two nodes in one Redis, with a separate prefix per test class. */
final class TestStores implements AutoCloseable {
  /** No contract is about it, and a loaded machine moves large outcomes slowly. */
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  /** For all clients of tests, and until the JVM ends. */
  static final ClientResources RESOURCES =
      ClientResources.builder().reconnectDelay(RedisRecordStore.reconnectDelay()).build();

  private static final String ELAPSE = read("elapse.lua");

  private final RedisClient client;
  private final RedisClient otherClient;
  private final String prefix;
  private final RedisRecordStore store;
  private final RedisRecordStore otherStore;
  private final RedisCommands<String, String> commands;

  TestStores(TestRedis redis, String prefix) {
    this.client = client(redis);
    this.otherClient = client(redis);
    this.prefix = prefix;
    this.store = RedisRecordStore.builder(client).prefix(prefix).timeout(TIMEOUT).build();
    this.otherStore = RedisRecordStore.builder(otherClient).prefix(prefix).timeout(TIMEOUT).build();
    this.commands = client.connect().sync();
  }

  /** Returns a client with the settings that the store requires. */
  static RedisClient client(TestRedis redis) {
    RedisClient client = RedisClient.create(RESOURCES, redis.uri());
    client.setOptions(RedisRecordStore.options());
    return client;
  }

  RedisRecordStore store() {
    return store;
  }

  RedisRecordStore otherStore() {
    return otherStore;
  }

  /** Returns commands for Redis, for what no store does. */
  RedisCommands<String, String> commands() {
    return commands;
  }

  void elapse(Duration time) {
    elapse(commands, prefix, time);
  }

  static void elapse(RedisCommands<String, String> commands, String prefix, Duration time) {
    commands.eval(
        ELAPSE,
        ScriptOutputType.VALUE,
        new String[0],
        prefix,
        Long.toString(time.toNanos() / 1_000));
  }

  @Override
  public void close() {
    store.close();
    otherStore.close();
    client.shutdown();
    otherClient.shutdown();
  }

  private static String read(String name) {
    try (InputStream file = TestStores.class.getResourceAsStream(name)) {
      return new String(Objects.requireNonNull(file).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new AssertionError(name, e);
    }
  }
}
