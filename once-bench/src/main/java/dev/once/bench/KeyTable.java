package dev.once.bench;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;

/** A small table of keys and answers, as the patterns use it, with JDBC helpers. */
final class KeyTable {
  private final BenchDatabase database;
  private final String name;

  private KeyTable(BenchDatabase database, String name) {
    this.database = database;
    this.name = name;
  }

  /** Creates the table unless another process has created it. */
  static KeyTable create(BenchDatabase database, String name) {
    database.execute(
        """
        CREATE TABLE IF NOT EXISTS %s (
          key text PRIMARY KEY, answer text, expires_at timestamptz NOT NULL)
        """
            .formatted(name));
    return new KeyTable(database, name);
  }

  /** Returns SQL with the table's name in place of {@code %s}. */
  String sql(String text) {
    return text.formatted(name);
  }

  Connection open() throws SQLException {
    return database.pool().getConnection();
  }

  /** Returns the number of rows that {@code sql} changed, in its own commit. */
  int update(String sql, Object... values) throws SQLException {
    try (Connection connection = open()) {
      return update(connection, sql, values);
    }
  }

  static int update(Connection connection, String sql, Object... values) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      bind(statement, values);
      return statement.executeUpdate();
    }
  }

  /** Returns the reply to a caller that finds the key claimed. */
  Reply known(String key) throws SQLException {
    return answer(key).<Reply>map(Reply.Replayed::new).orElseGet(Reply.Busy::new);
  }

  Optional<String> answer(String key) throws SQLException {
    try (Connection connection = open();
        PreparedStatement statement =
            connection.prepareStatement("SELECT answer FROM " + name + " WHERE key = ?")) {
      bind(statement, key);
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? Optional.ofNullable(row.getString(1)) : Optional.empty();
      }
    }
  }

  long done() throws SQLException {
    return database.number("SELECT count(*) FROM " + name + " WHERE answer IS NOT NULL");
  }

  private static void bind(PreparedStatement statement, Object... values) throws SQLException {
    for (int i = 0; i < values.length; i++) {
      Object value = values[i];
      statement.setObject(i + 1, value instanceof Duration it ? it.toMillis() : value);
    }
  }
}
