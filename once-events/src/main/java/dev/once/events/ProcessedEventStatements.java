package dev.once.events;

import dev.once.jdbc.internal.Parameters;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.util.Optional;

/** The statements of operators. */
final class ProcessedEventStatements {
  private static final String FIND =
      """
      SELECT aggregate, sequence, state, owner, fence, attempts, error, started_at, finished_at
      FROM ${schema}.processed_event WHERE handler = ? AND event_id = ?
      """;

  private static final String LAST_SEQUENCE =
      "SELECT last_sequence FROM ${schema}.aggregate_version WHERE handler = ? AND aggregate = ?";

  private static final String REDRIVE =
      """
      UPDATE ${schema}.processed_event SET
        state = 'failed', attempts = 0, redriven = true, next_attempt_at = clock_timestamp(),
        finished_at = NULL, died_at = NULL
      WHERE handler = ? AND
      """;

  private static final String ONE = "event_id = ? AND state IN ('failed', 'skipped', 'dead')";
  private static final String ALL_DEAD = "died_at IS NOT NULL AND state = 'dead'";

  private ProcessedEventStatements() {}

  static Optional<ProcessedEvent> find(
      Connection connection, String schema, String handler, String eventId) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(FIND.replace("${schema}", schema))) {
      new Parameters(statement).text(handler).text(eventId);
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? Optional.of(read(row, handler, eventId)) : Optional.empty();
      }
    }
  }

  static long lastSequence(Connection connection, String schema, String handler, String aggregate)
      throws SQLException {
    String sql = LAST_SEQUENCE.replace("${schema}", schema);
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      new Parameters(statement).text(handler).text(aggregate);
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? row.getLong(1) : 0;
      }
    }
  }

  /** Redrives one event, or all that are dead, and returns how many. */
  static int redrive(Connection connection, String schema, String handler, Optional<String> eventId)
      throws SQLException {
    String sql = REDRIVE.replace("${schema}", schema) + (eventId.isPresent() ? ONE : ALL_DEAD);
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      Parameters parameters = new Parameters(statement).text(handler);
      if (eventId.isPresent()) {
        parameters.text(eventId.get());
      }
      return statement.executeUpdate();
    }
  }

  private static ProcessedEvent read(ResultSet row, String handler, String eventId)
      throws SQLException {
    return new ProcessedEvent(
        handler,
        eventId,
        row.getString("aggregate"),
        row.getLong("sequence"),
        ProcessedState.of(row.getString("state")),
        row.getString("owner"),
        row.getLong("fence"),
        row.getInt("attempts"),
        Optional.ofNullable(row.getString("error")),
        row.getTimestamp("started_at").toInstant(),
        Optional.ofNullable(row.getTimestamp("finished_at")).map(Timestamp::toInstant));
  }
}
