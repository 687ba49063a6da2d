package dev.once.testkit;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/** Executes SQL statements and queries in a test's database. */
public record Sql(DataSource dataSource) {
  public void execute(String sql) {
    try (Connection connection = dataSource.getConnection()) {
      execute(connection, sql);
    } catch (SQLException e) {
      throw new AssertionError(sql, e);
    }
  }

  public static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Returns the first column of every row. */
  public List<String> query(String sql) {
    try (Connection connection = dataSource.getConnection()) {
      return query(connection, sql);
    } catch (SQLException e) {
      throw new AssertionError(sql, e);
    }
  }

  public static List<String> query(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      List<String> column = new ArrayList<>();
      while (rows.next()) {
        column.add(String.valueOf(rows.getString(1)));
      }
      return column;
    }
  }
}
