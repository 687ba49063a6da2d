package dev.once.gateway;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.once.StoreException;
import dev.once.embedded.EmbeddedPostgres;
import dev.once.jdbc.JdbcRecordStore;
import dev.once.jdbc.JdbcSchema;
import dev.once.redis.RedisRecordStore;
import dev.once.spi.RecordAdmin;
import dev.once.spi.RecordStore;
import io.lettuce.core.RedisURI;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * The store of a gateway, and what it needs.
 *
 * @param records the store
 * @param admin the same store, for purge and health
 * @param tables where jobs may keep theirs; Redis has none
 * @param place what an operator must know to reach it with the other commands
 * @param end closes it
 */
record GatewayStore(
    RecordStore records, RecordAdmin admin, Optional<DataSource> tables, String place, Runnable end)
    implements AutoCloseable {
  private static final String JDBC = "jdbc:postgresql:";
  private static final int MAX_CONNECTIONS = 16;
  private static final int CONNECTION_MILLIS = 3000;

  /** Shorter than a client waits: without a store, the answer is 503 and not silence. */
  private static final int SOCKET_SECONDS = 10;

  /**
   * Opens the store that the settings name.
   *
   * @param folder where the gateway keeps the data of a PostgreSQL of its own
   * @param environment has the password of the database: {@code DATABASE_PASSWORD}, or {@code
   *     DATABASE_PASSWORD_FILE} with the file that has it
   */
  static GatewayStore open(StoreSettings settings, Path folder, Map<String, String> environment) {
    Optional<String> url = settings.url();
    if (url.isEmpty()) {
      return embedded(folder);
    }
    if (url.get().startsWith(JDBC)) {
      return postgres(url.get(), settings.user(), password(environment));
    }
    if (url.get().startsWith("redis://") || url.get().startsWith("rediss://")) {
      return redis(url.get());
    }
    throw new SettingsException(
        "store must be jdbc:postgresql://host/database, redis://host or rediss://host");
  }

  private static String password(Map<String, String> environment) {
    String file = environment.getOrDefault("DATABASE_PASSWORD_FILE", "");
    if (file.isEmpty() || environment.containsKey("DATABASE_PASSWORD")) {
      return environment.getOrDefault("DATABASE_PASSWORD", "");
    }
    try {
      return Files.readString(Path.of(file)).lines().findFirst().orElse("");
    } catch (IOException e) {
      throw new SettingsException("DATABASE_PASSWORD_FILE " + file + " cannot be read: " + e, e);
    }
  }

  private static GatewayStore embedded(Path folder) {
    Path data = folder.resolve("gateway-data");
    EmbeddedPostgres server = EmbeddedPostgres.builder().dataDirectory(data).durable().start();
    try {
      HikariDataSource pool =
          pool(server.url("postgres"), Optional.of(server.user()), server.password());
      JdbcRecordStore store = over(pool);
      return new GatewayStore(
          store,
          store,
          Optional.of(pool),
          "a PostgreSQL of its own, with data in %s: --database-url '%s' --database-user %s"
              .formatted(data, server.url("postgres"), server.user()),
          () -> {
            pool.close();
            server.close();
          });
    } catch (RuntimeException e) {
      server.close();
      throw e;
    }
  }

  private static GatewayStore postgres(String url, Optional<String> user, String password) {
    HikariDataSource pool = pool(url, user, password);
    try {
      JdbcRecordStore store = over(pool);
      return new GatewayStore(store, store, Optional.of(pool), "your PostgreSQL", pool::close);
    } catch (RuntimeException e) {
      pool.close();
      throw e;
    }
  }

  private static HikariDataSource pool(String url, Optional<String> user, String password) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    user.ifPresent(config::setUsername);
    if (!password.isEmpty()) {
      config.setPassword(password);
    }
    config.setMaximumPoolSize(MAX_CONNECTIONS);
    config.setConnectionTimeout(CONNECTION_MILLIS);
    config.addDataSourceProperty("socketTimeout", SOCKET_SECONDS);
    config.addDataSourceProperty("tcpKeepAlive", true);
    return new HikariDataSource(config);
  }

  private static JdbcRecordStore over(DataSource pool) {
    try {
      JdbcSchema.check(pool);
    } catch (StoreException e) {
      JdbcSchema.apply(pool);
    }
    return JdbcRecordStore.over(pool);
  }

  private static GatewayStore redis(String url) {
    RedisURI address;
    try {
      address = RedisURI.create(url);
    } catch (IllegalArgumentException e) {
      throw new SettingsException(
          "store must be an address of Redis such as redis://user:password@host:port", e);
    }
    RedisRecordStore store = RedisRecordStore.connect(address);
    return new GatewayStore(store, store, Optional.empty(), "your Redis", store::close);
  }

  /** Returns the database for jobs. */
  DataSource requireTables() {
    return tables.orElseThrow(
        () ->
            new SettingsException(
                "webhooks are kept in PostgreSQL: name one as the store, or leave out webhooks"));
  }

  @Override
  public void close() {
    end.run();
  }
}
