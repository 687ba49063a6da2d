package dev.once.inbox;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.once.embedded.EmbeddedPostgres;
import dev.once.jdbc.JdbcRecordStore;
import dev.once.jdbc.JdbcSchema;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.postgresql.ds.PGSimpleDataSource;

/** A database with records in it, and a table of charges that stands for a provider's books. */
final class PaymentDatabase implements AutoCloseable {
  private final PGSimpleDataSource direct;
  private final HikariDataSource pool;
  private final JdbcRecordStore store;

  PaymentDatabase(String hint) {
    this.direct = EmbeddedPostgres.shared().newDatabase(hint);
    HikariConfig config = new HikariConfig();
    config.setDataSource(direct);
    config.setMaximumPoolSize(16);
    this.pool = new HikariDataSource(config);
    JdbcSchema.apply(pool);
    this.store = JdbcRecordStore.over(pool);
    execute("CREATE TABLE charge (reference uuid)");
  }

  PGSimpleDataSource direct() {
    return direct;
  }

  JdbcRecordStore store() {
    return store;
  }

  Connection begin() throws SQLException {
    Connection connection = pool.getConnection();
    connection.setAutoCommit(false);
    return connection;
  }

  void execute(String sql) {
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new AssertionError(sql, e);
    }
  }

  /** The first column of every row. */
  List<String> query(String sql) {
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      List<String> column = new ArrayList<>();
      while (rows.next()) {
        column.add(String.valueOf(rows.getString(1)));
      }
      return column;
    } catch (SQLException e) {
      throw new AssertionError(sql, e);
    }
  }

  @Override
  public void close() {
    pool.close();
  }
}
