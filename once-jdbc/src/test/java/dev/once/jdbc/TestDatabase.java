package dev.once.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.once.embedded.EmbeddedPostgres;
import dev.once.testkit.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;

/** A database of a test class's own, with the schema in it and two nodes' pools before it. */
final class TestDatabase implements AutoCloseable {
  private final DataSource database;
  private final HikariDataSource pool;
  private final HikariDataSource otherPool;
  private final JdbcRecordStore store;
  private final JdbcRecordStore otherStore;

  TestDatabase(String hint) {
    this.database = EmbeddedPostgres.shared().newDatabase(hint);
    this.pool = poolOf(database);
    this.otherPool = poolOf(database);
    JdbcSchema.apply(pool);
    this.store = JdbcRecordStore.over(pool);
    this.otherStore = JdbcRecordStore.over(otherPool);
  }

  static HikariDataSource poolOf(DataSource database) {
    HikariConfig config = new HikariConfig();
    config.setDataSource(database);
    config.setMaximumPoolSize(16);
    config.setMinimumIdle(0);
    return new HikariDataSource(config);
  }

  /** Connections straight from the driver. */
  DataSource database() {
    return database;
  }

  DataSource dataSource() {
    return pool;
  }

  JdbcRecordStore store() {
    return store;
  }

  /** The same records, through connections of another node. */
  JdbcRecordStore otherStore() {
    return otherStore;
  }

  /** A connection with a transaction open at {@code isolation}. */
  Connection begin(Isolation isolation) throws SQLException {
    Connection connection = pool.getConnection();
    connection.setAutoCommit(false);
    connection.setTransactionIsolation(isolation.level);
    return connection;
  }

  void execute(String sql) {
    new Sql(pool).execute(sql);
  }

  /** The first column of every row. */
  List<String> query(String sql) {
    return new Sql(pool).query(sql);
  }

  /** The server's clock cannot be set, so every time in the table moves back instead. */
  void elapse(Duration time) {
    execute(elapsing(time));
  }

  static String elapsing(Duration time) {
    return """
        UPDATE once_record SET
          created_at = created_at - interval '%1$d us',
          lease_until = lease_until - interval '%1$d us',
          expires_at = expires_at - interval '%1$d us'
        """
        .formatted(time.toNanos() / 1000);
  }

  @Override
  public void close() {
    pool.close();
    otherPool.close();
  }

  /** The isolation levels that PostgreSQL has. */
  enum Isolation {
    READ_COMMITTED(Connection.TRANSACTION_READ_COMMITTED),
    REPEATABLE_READ(Connection.TRANSACTION_REPEATABLE_READ),
    SERIALIZABLE(Connection.TRANSACTION_SERIALIZABLE);

    private final int level;

    Isolation(int level) {
      this.level = level;
    }
  }
}
