package dev.once.bench;

import dev.once.redis.RedisRecordStore;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.resource.ClientResources;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * A Redis in which every contestant has its own database and one connection to it through Lettuce.
 * The client uses the resources that Once recommends: they write commands that are sent at the same
 * moment together, which helps all contestants alike.
 */
final class BenchRedis implements AutoCloseable {
  private static final Pattern PROCESS_ID = Pattern.compile("process_id:(\\d+)");

  private final String uri;
  private final ClientResources resources = RedisRecordStore.resources().build();
  private final RedisClient client;
  private final List<Runnable> closings = new ArrayList<>();

  BenchRedis(String uri) {
    this.uri = uri;
    this.client = RedisClient.create(resources, uri);
    client.setOptions(RedisRecordStore.options());
  }

  /**
   * Opens Once's connection to database 0. The store creates the client, as it does in an
   * application.
   */
  RedisRecordStore connectOnce() {
    RedisRecordStore store = RedisRecordStore.connect(RedisURI.create(uri));
    closings.add(store::close);
    return store;
  }

  StatefulRedisConnection<String, String> connect(int database) {
    StatefulRedisConnection<String, String> connection = client.connect();
    connection.sync().select(database);
    return connection;
  }

  /** Opens Spring's connection to the same server; all threads share it. */
  LettuceConnectionFactory spring(int database) {
    URI address = URI.create(uri);
    RedisStandaloneConfiguration configuration =
        new RedisStandaloneConfiguration(address.getHost(), address.getPort());
    configuration.setDatabase(database);
    LettuceConnectionFactory factory =
        new LettuceConnectionFactory(
            configuration, LettuceClientConfiguration.builder().clientResources(resources).build());
    factory.afterPropertiesSet();
    factory.start();
    closings.add(factory::destroy);
    return factory;
  }

  long keys(int database) {
    try (StatefulRedisConnection<String, String> connection = connect(database)) {
      return connection.sync().dbsize();
    }
  }

  List<CpuClock> clocks() {
    try (StatefulRedisConnection<String, String> connection = client.connect()) {
      Matcher pid = PROCESS_ID.matcher(connection.sync().info("server"));
      if (!pid.find()) {
        throw new IllegalStateException("Redis does not report its process id");
      }
      return List.of(CpuClock.jvm(), CpuClock.processTree(Long.parseLong(pid.group(1))));
    }
  }

  @Override
  public void close() {
    closings.forEach(Runnable::run);
    client.shutdown();
    var unused = resources.shutdown();
  }
}
