package dev.once.bench;

import java.sql.Connection;
import java.sql.SQLException;

/** A table in which handling an event inserts a row. It has no unique index on purpose. */
record HandledRows(BenchDatabase database) {
  static final String INSERT = "INSERT INTO handled (event_id, data) VALUES (?, ?)";

  void createTable() {
    database.execute("CREATE TABLE handled (event_id text NOT NULL, data text NOT NULL)");
  }

  void clear() {
    database.execute("TRUNCATE handled");
  }

  /** Inserts the row of an event, committed by the caller of {@code connection}. */
  static void insert(Connection connection, String eventId) throws SQLException {
    BenchDatabase.update(connection, INSERT, eventId, Sample.TEXT);
  }

  long events() throws SQLException {
    return database.number("SELECT count(DISTINCT event_id) FROM handled");
  }

  long rows() throws SQLException {
    return database.number("SELECT count(*) FROM handled");
  }
}
