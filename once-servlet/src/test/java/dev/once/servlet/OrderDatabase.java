package dev.once.servlet;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.once.embedded.EmbeddedPostgres;
import dev.once.jdbc.JdbcRecordStore;
import dev.once.jdbc.JdbcSchema;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** A real database with orders and records, shared by all tests. */
final class OrderDatabase {
  private static final class Holder {
    static final OrderDatabase SHARED = new OrderDatabase();
  }

  private final HikariDataSource pool;
  private final JdbcRecordStore store;

  private OrderDatabase() {
    HikariConfig config = new HikariConfig();
    config.setDataSource(EmbeddedPostgres.shared().newDatabase("servlet"));
    config.setMaximumPoolSize(16);
    config.setMinimumIdle(0);
    pool = new HikariDataSource(config);
    JdbcSchema.apply(pool);
    store = JdbcRecordStore.over(pool);
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("create table orders (key text not null)");
    } catch (SQLException e) {
      throw new IllegalStateException("cannot create the orders", e);
    }
  }

  static OrderDatabase shared() {
    return Holder.SHARED;
  }

  Connection connect() throws SQLException {
    return pool.getConnection();
  }

  JdbcRecordStore store() {
    return store;
  }

  void change(String sql, String key) throws SQLException {
    try (Connection connection = connect();
        PreparedStatement change = connection.prepareStatement(sql)) {
      change.setString(1, key);
      change.executeUpdate();
    }
  }

  /** Returns how many orders were placed under {@code key}. */
  int orders(String key) throws SQLException {
    try (Connection connection = connect();
        PreparedStatement count =
            connection.prepareStatement("select count(*) from orders where key = ?")) {
      count.setString(1, key);
      try (ResultSet row = count.executeQuery()) {
        row.next();
        return row.getInt(1);
      }
    }
  }
}
