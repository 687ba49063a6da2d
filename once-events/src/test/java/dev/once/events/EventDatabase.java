package dev.once.events;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.once.embedded.EmbeddedPostgres;
import dev.once.testkit.Sql;
import java.util.List;
import javax.sql.DataSource;

/** A database with the tables of events, for one test class. */
public final class EventDatabase implements AutoCloseable {
  private final HikariDataSource pool;

  public EventDatabase(String hint) {
    this(EmbeddedPostgres.shared(), hint);
  }

  public EventDatabase(EmbeddedPostgres server, String hint) {
    HikariConfig config = new HikariConfig();
    config.setDataSource(server.newDatabase(hint));
    config.setMaximumPoolSize(24);
    config.setMinimumIdle(0);
    this.pool = new HikariDataSource(config);
    EventsSchema.named(EventsSchema.DEFAULT_NAME).apply(pool);
  }

  public DataSource dataSource() {
    return pool;
  }

  public void execute(String sql) {
    new Sql(pool).execute(sql);
  }

  /** Returns the first column of every row. */
  public List<String> query(String sql) {
    return new Sql(pool).query(sql);
  }

  @Override
  public void close() {
    pool.close();
  }
}
