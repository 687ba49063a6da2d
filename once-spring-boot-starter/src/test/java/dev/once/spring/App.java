package dev.once.spring;

import com.zaxxer.hikari.HikariDataSource;
import dev.once.embedded.EmbeddedPostgres;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.Lifecycle;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * A real Boot application in this JVM, with a real PostgreSQL behind it and a real server in front.
 */
final class App implements AutoCloseable {
  private final ConfigurableApplicationContext context;
  private final JdbcClient database;

  private App(ConfigurableApplicationContext context, DataSource database) {
    this.context = context;
    this.database = JdbcClient.create(database);
  }

  /**
   * Starts an application over a new database that has the table {@code orders}.
   *
   * @param settings such as {@code once.retention=1s}
   */
  static App start(Class<?> application, String... settings) {
    return start(application, newDatabase(), settings);
  }

  static App start(Class<?> application, PGSimpleDataSource database, String... settings) {
    return startOn(Servers.OnTomcat.class, application, database, settings);
  }

  /** Starts an application on one of {@link Servers}. */
  static App startOn(Class<?> server, Class<?> application, String... settings) {
    return startOn(server, application, newDatabase(), settings);
  }

  static App startOn(
      Class<?> server, Class<?> application, PGSimpleDataSource database, String... settings) {
    List<String> all = new ArrayList<>(connection(database));
    all.addAll(List.of(settings));
    if (all.stream().noneMatch(it -> it.startsWith("once.webhooks."))) {
      // once-webhooks is on the class path of all tests, and starts workers that deliver.
      all.add("once.webhooks.enabled=false");
    }
    return new App(run(server, application, all), database);
  }

  static PGSimpleDataSource newDatabase() {
    return withOrders(EmbeddedPostgres.shared().newDatabase("starter"));
  }

  static PGSimpleDataSource withOrders(PGSimpleDataSource database) {
    JdbcClient.create(database)
        .sql(
            "CREATE TABLE orders (id serial PRIMARY KEY, item text UNIQUE, revision int DEFAULT 1)")
        .update();
    return database;
  }

  static List<String> connection(PGSimpleDataSource database) {
    return List.of(
        "spring.datasource.url=" + database.getUrl(),
        "spring.datasource.username=" + database.getUser(),
        "spring.datasource.password=" + database.getPassword(),
        "spring.datasource.hikari.minimum-idle=1"); // Most tests need few.
  }

  /** Starts an application with nothing but these settings. */
  static ConfigurableApplicationContext run(Class<?> application, List<String> settings) {
    return run(Servers.OnTomcat.class, application, settings);
  }

  private static ConfigurableApplicationContext run(
      Class<?> server, Class<?> application, List<String> settings) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "--server.port=0", "--spring.main.banner-mode=off", "--logging.level.root=off"));
    settings.forEach(it -> arguments.add("--" + it));
    return new SpringApplication(application, server).run(arguments.toArray(String[]::new));
  }

  <T> T bean(Class<T> type) {
    return context.getBean(type);
  }

  /** A client that is authenticated as alice of the tenant acme. */
  Api api() {
    String port = context.getEnvironment().getRequiredProperty("local.server.port");
    return new Api(URI.create("http://127.0.0.1:" + port), "acme/alice");
  }

  /** Blocks the handler that takes an order of this item. */
  Gate gate(String item) {
    Gate gate = new Gate();
    bean(OrderController.class).gates.put(item, gate);
    return gate;
  }

  /** How many orders of this item the database has. */
  int orders(String item) {
    return count("SELECT count(*) FROM orders WHERE item = ?", item);
  }

  /** How many records there are under a key, of any tenant and scope. */
  int records(String key) {
    return count("SELECT count(*) FROM once_record WHERE key = ?", key);
  }

  /** The state of the job for a resource; empty if there is none. */
  String job(String resource) {
    return text(
        """
        SELECT state FROM once_job WHERE key LIKE '%:' || :it
        UNION ALL SELECT 'done' FROM once_job_done WHERE key LIKE '%:' || :it
        """,
        resource);
  }

  void awaitJob(String resource, String state) {
    Polling.until(() -> job(resource), state::equals);
  }

  /** Why the last attempt of a job failed. */
  String reason(String resource) {
    return text("SELECT reason FROM once_job WHERE key LIKE '%:' || :it", resource);
  }

  private String text(String sql, String parameter) {
    return database.sql(sql).param("it", parameter).query(String.class).optional().orElse("");
  }

  /** How many tables there are with this name. */
  int tables(String name) {
    return count("SELECT count(*) FROM pg_tables WHERE tablename = ?", name);
  }

  private int count(String sql, String parameter) {
    return database.sql(sql).param(parameter).query(Integer.class).single();
  }

  String scopeOf(String key) {
    return database
        .sql("SELECT scope FROM once_record WHERE key = ?")
        .param(key)
        .query(String.class)
        .single();
  }

  /** Whether there is a bean of this type. */
  boolean has(Class<?> type) {
    return context.getBeanProvider(type).getIfAvailable() != null;
  }

  /** Whether the one bean of this type reports that it is running. */
  boolean isRunning(Class<? extends Lifecycle> type) {
    return bean(type).isRunning();
  }

  boolean isClosing() {
    return context.isClosed();
  }

  /** Ends all connections to the database that are in a transaction, as a crash would. */
  void breakTransactions() {
    database
        .sql(
            """
            SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE datname = current_database() AND state LIKE 'idle in transaction%'
            """)
        .query(Boolean.class)
        .list();
  }

  /** How many connections of the pool are in use. */
  int busyConnections() {
    return bean(HikariDataSource.class).getHikariPoolMXBean().getActiveConnections();
  }

  @Override
  public void close() {
    context.close();
  }
}
