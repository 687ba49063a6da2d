package dev.once.bench;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.concurrent.ThreadLocalRandom;

/** Work on a small table that is the same in every database: a difference there is noise. */
final class Yardstick {
  private static final int ROWS = 1000;

  private final BenchDatabase database;

  Yardstick(BenchDatabase database) {
    this.database = database;
    database.execute(
        "CREATE TABLE yardstick (id integer PRIMARY KEY, hits bigint) WITH (fillfactor = 50)");
    database.execute("INSERT INTO yardstick SELECT id, 0 FROM generate_series(1, " + ROWS + ") id");
  }

  void write() throws SQLException {
    try (Connection connection = database.pool().getConnection();
        PreparedStatement statement =
            connection.prepareStatement("UPDATE yardstick SET hits = hits + 1 WHERE id = ?")) {
      statement.setInt(1, anyRow());
      if (statement.executeUpdate() != 1) {
        throw new IllegalStateException("the yardstick lacks a row");
      }
    }
  }

  void read() throws SQLException {
    try (Connection connection = database.pool().getConnection();
        PreparedStatement statement =
            connection.prepareStatement("SELECT hits FROM yardstick WHERE id = ?")) {
      statement.setInt(1, anyRow());
      try (ResultSet row = statement.executeQuery()) {
        if (!row.next()) {
          throw new IllegalStateException("the yardstick lacks a row");
        }
      }
    }
  }

  private static int anyRow() {
    return ThreadLocalRandom.current().nextInt(ROWS) + 1;
  }
}
