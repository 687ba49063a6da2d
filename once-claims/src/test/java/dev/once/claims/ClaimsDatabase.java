package dev.once.claims;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.once.embedded.EmbeddedPostgres;
import dev.once.jdbc.JdbcRecordStore;
import dev.once.jdbc.JdbcSchema;
import dev.once.spi.RecordStore;
import java.time.Duration;
import javax.sql.DataSource;

/** A database with records, and a pool. */
final class ClaimsDatabase implements AutoCloseable {
  private static final Duration CONNECTION_TIMEOUT = Duration.ofSeconds(2);

  private final HikariDataSource pool;
  private final JdbcRecordStore store;

  ClaimsDatabase(DataSource database) {
    HikariConfig config = new HikariConfig();
    config.setDataSource(database);
    config.setMaximumPoolSize(8);
    config.setMinimumIdle(0);
    config.setConnectionTimeout(CONNECTION_TIMEOUT.toMillis());
    pool = new HikariDataSource(config);
    JdbcSchema.apply(pool);
    store = JdbcRecordStore.over(pool);
  }

  /** A new database of the server that all tests share. */
  static ClaimsDatabase shared(String name) {
    return new ClaimsDatabase(EmbeddedPostgres.shared().newDatabase(name));
  }

  RecordStore store() {
    return store;
  }

  @Override
  public void close() {
    pool.close();
  }
}
