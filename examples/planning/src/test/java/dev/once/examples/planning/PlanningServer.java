package dev.once.examples.planning;

import dev.once.embedded.EmbeddedPostgres;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The whole service on a port of its own and on a real database.
 *
 * <p>Most tests want {@link #shared()} and a tenant of their own on it: {@link #planner()} makes
 * one. Tests that need other settings, or a second node on the same database, {@link #start} one.
 */
final class PlanningServer implements AutoCloseable {
  private static @Nullable PlanningServer sharedServer;

  private final ConfigurableApplicationContext context;
  private final URI url;

  private PlanningServer(ConfigurableApplicationContext context) {
    this.context = context;
    String port = context.getEnvironment().getRequiredProperty("local.server.port");
    this.url = URI.create("http://127.0.0.1:" + port);
  }

  /** The one server of this JVM, which ends with it. */
  static synchronized PlanningServer shared() {
    PlanningServer existing = sharedServer;
    if (existing == null) {
      existing = start(EmbeddedPostgres.shared().newDatabase("planning"), Map.of());
      sharedServer = existing;
    }
    return existing;
  }

  /** Starts a server on {@code database}, with properties over those of application.yaml. */
  static PlanningServer start(PGSimpleDataSource database, Map<String, String> properties) {
    Map<String, String> settings = new HashMap<>();
    settings.put("server.port", "0");
    settings.put("logging.level.root", "warn");
    settings.put("spring.datasource.url", urlOf(database));
    settings.put("spring.datasource.username", String.valueOf(database.getUser()));
    settings.put("spring.datasource.password", String.valueOf(database.getPassword()));
    settings.putAll(properties);
    String[] arguments =
        settings.entrySet().stream()
            .map(it -> "--" + it.getKey() + "=" + it.getValue())
            .toArray(String[]::new);
    return new PlanningServer(SpringApplication.run(PlanningApplication.class, arguments));
  }

  /** Without the driver's settings, which would win over those of the service. */
  private static String urlOf(PGSimpleDataSource database) {
    return String.valueOf(database.getURL()).replaceFirst("\\?.*", "");
  }

  URI url() {
    return url;
  }

  /** The database, for what the API does not show. */
  JdbcClient database() {
    return bean(JdbcClient.class);
  }

  <T> T bean(Class<T> type) {
    return context.getBean(type);
  }

  /** Somebody without a token. */
  Api stranger() {
    return new Api(url, null, "");
  }

  /** A planner in a tenant that nobody else uses. */
  Api planner() {
    return caller("tenant-" + UUID.randomUUID(), Role.PLANNER);
  }

  /** A new caller in {@code tenant}. */
  Api caller(String tenant, Role role) {
    String token = UUID.randomUUID().toString();
    bean(ApiTokens.class).add(token, tenant, role.word() + "-of-" + tenant, role);
    return new Api(url, token, tenant);
  }

  @Override
  public void close() {
    context.close();
  }
}
