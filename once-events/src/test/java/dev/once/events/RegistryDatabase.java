package dev.once.events;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.once.embedded.EmbeddedPostgres;
import dev.once.testkit.Sql;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A database of a test class's own, with the registry's tables in it. As an extension it is emptied
 * before each test and closed after the last.
 */
final class RegistryDatabase implements BeforeEachCallback, AfterAllCallback {
  static final String SCHEMA = "registry";
  static final String HANDLER = "projection";

  private final PGSimpleDataSource direct;
  private final HikariDataSource pool;

  RegistryDatabase(String hint) {
    this.direct = EmbeddedPostgres.shared().newDatabase(hint);
    HikariConfig config = new HikariConfig();
    config.setDataSource(direct);
    config.setMaximumPoolSize(24);
    config.setMinimumIdle(0);
    this.pool = new HikariDataSource(config);
    EventsSchema.named(SCHEMA).apply(pool);
    execute("CREATE TABLE effect (place bigserial, event_id text)");
  }

  /** Returns connections straight from the driver. */
  PGSimpleDataSource direct() {
    return direct;
  }

  DataSource pool() {
    return pool;
  }

  /** Returns a registry with the default lease. */
  ProcessedEvents events() {
    return ProcessedEvents.builder(pool).schema(SCHEMA).owner("test").build();
  }

  /** Returns a registry whose leases end soon. */
  ProcessedEvents events(Duration lease) {
    return ProcessedEvents.builder(pool)
        .schema(SCHEMA)
        .lease(lease)
        .heartbeat(lease.dividedBy(4))
        .build();
  }

  RegistryClient client() {
    return client(false);
  }

  RegistryClient client(boolean needsEvery) {
    return new RegistryClient(new PostgresRegistry(events(), HANDLER, needsEvery));
  }

  void execute(String sql) {
    new Sql(pool).execute(sql);
  }

  /** Returns the first column of every row. */
  List<String> query(String sql) {
    return new Sql(pool).query(sql);
  }

  /** Returns the ids of the events that took effect, in their order. */
  List<String> effects() {
    return query("SELECT event_id FROM effect ORDER BY place");
  }

  /** Returns each event and its state, in the order of their ids. */
  List<String> states() {
    return query("SELECT event_id || ' ' || state FROM registry.processed_event ORDER BY event_id");
  }

  /** The server's clock cannot be set, so every time in the tables moves back instead. */
  void elapse(Duration time) {
    String micros = " - interval '" + time.toNanos() / 1000 + " us'";
    execute(
        """
        UPDATE registry.processed_event SET lease_until = lease_until MICROS,
          heartbeat_at = heartbeat_at MICROS, next_attempt_at = next_attempt_at MICROS,
          started_at = started_at MICROS, finished_at = finished_at MICROS
        """
            .replace("MICROS", micros));
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    execute("TRUNCATE registry.processed_event, registry.aggregate_version, effect");
  }

  @Override
  public void afterAll(ExtensionContext context) {
    pool.close();
  }
}
