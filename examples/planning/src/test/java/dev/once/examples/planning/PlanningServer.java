package dev.once.examples.planning;

import com.zaxxer.hikari.HikariDataSource;
import dev.once.embedded.EmbeddedPostgres;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The complete service on its own port and on a real database.
 *
 * <p>Most tests use {@link #shared()} with a new tenant, which {@link #planner()} creates. Tests
 * that need other settings, or a second node on the same database, {@link #start} one.
 */
final class PlanningServer implements AutoCloseable {
  /** Settings of the servers that live as long as this JVM. */
  private static final Map<String, String> LONG_LIVED =
      Map.of(
          // The database ends with the JVM too; a later shutdown would only log errors.
          "spring.main.register-shutdown-hook", "false",
          // There are several servers, so an idle pool should hold few connections.
          "spring.datasource.hikari.minimum-idle", "1",
          // Some tests provoke failures, which are logged in full.
          "logging.level.dev.once.examples.planning.Problems", "off",
          // Tests keep rows locked until another event has happened.
          "spring.datasource.hikari.data-source-properties.options", "-c lock_timeout=60s");

  private static final Map<String, PlanningServer> BY_CONTRACT = new HashMap<>();

  private final PGSimpleDataSource source;
  private final ConfigurableApplicationContext context;
  private final URI url;

  private PlanningServer(PGSimpleDataSource source, ConfigurableApplicationContext context) {
    this.source = source;
    this.context = context;
    String port = context.getEnvironment().getRequiredProperty("local.server.port");
    this.url = URI.create("http://127.0.0.1:" + port);
  }

  /** Returns the server of this JVM with the settings of application.yaml, which ends with it. */
  static PlanningServer shared() {
    return under("strict");
  }

  /** Returns the server of this JVM under a contract, which ends with it. */
  static synchronized PlanningServer under(String contract) {
    return BY_CONTRACT.computeIfAbsent(
        contract,
        name -> {
          Map<String, String> settings = new HashMap<>(LONG_LIVED);
          settings.put("once.contract", name);
          return start(EmbeddedPostgres.shared().newDatabase("planning_" + name), settings);
        });
  }

  /** Starts a server on {@code database}, with properties that override application.yaml. */
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
    return new PlanningServer(
        database, SpringApplication.run(PlanningApplication.class, arguments));
  }

  /** Starts another server with the same contract on the same database. */
  PlanningServer another(Map<String, String> properties) {
    Map<String, String> settings = new HashMap<>(LONG_LIVED);
    settings.put("once.contract", context.getEnvironment().getRequiredProperty("once.contract"));
    settings.putAll(properties);
    return start(source, settings);
  }

  /** Returns the address without the driver's settings, which would override the service's. */
  private static String urlOf(PGSimpleDataSource database) {
    return String.valueOf(database.getURL()).replaceFirst("\\?.*", "");
  }

  URI url() {
    return url;
  }

  /** Returns the database, for data that the API does not show. */
  JdbcClient database() {
    return bean(JdbcClient.class);
  }

  <T> T bean(Class<T> type) {
    return context.getBean(type);
  }

  /** Returns the database's address, for another process. */
  PGSimpleDataSource source() {
    return source;
  }

  /** Returns how many rows of a table belong to the tenant of {@code api}. */
  int count(String table, Api api) {
    return database()
        .sql("SELECT count(*) FROM " + table + " WHERE tenant = :tenant")
        .param("tenant", api.tenant())
        .query(Integer.class)
        .single();
  }

  /** Returns the keys of all jobs of the tenant of {@code api}, completed or not. */
  List<String> jobs(Api api) {
    return database()
        .sql(
            """
            SELECT 'job:' || tenant || ':' || queue || ':' || key AS key FROM (
              SELECT tenant, queue, key FROM once_job
              UNION ALL SELECT tenant, queue, key FROM once_job_done) job
            WHERE tenant = :tenant
            """)
        .param("tenant", api.tenant())
        .query((row, number) -> row.getString("key"))
        .list();
  }

  /** Waits until all jobs of the tenant of {@code api} are completed. */
  void awaitJobs(Api api) {
    Polling.until(() -> count("once_job", api), it -> it == 0);
  }

  /** Makes the pool open new connections, after the old ones ended with their server. */
  void forgetConnections() {
    bean(HikariDataSource.class).getHikariPoolMXBean().softEvictConnections();
  }

  /** Returns a client without a token. */
  Api stranger() {
    return new Api(url, null, "");
  }

  /** Returns a planner in a new tenant. */
  Api planner() {
    return caller("tenant-" + UUID.randomUUID(), Role.PLANNER);
  }

  /** Returns a new caller in {@code tenant}. */
  Api caller(String tenant, Role role) {
    return caller(tenant, role.word() + "-of-" + tenant, role);
  }

  /** Returns a caller by name, with a new token even if the name was used before. */
  Api caller(String tenant, String name, Role role) {
    Api caller = new Api(url, UUID.randomUUID().toString(), tenant);
    grant(caller, name, role);
    return caller;
  }

  /** Makes the token of {@code api} valid for a caller. */
  void grant(Api api, String name, Role role) {
    bean(ApiTokens.class).add(String.valueOf(api.token()), api.tenant(), name, role);
  }

  @Override
  public void close() {
    context.close();
  }
}
