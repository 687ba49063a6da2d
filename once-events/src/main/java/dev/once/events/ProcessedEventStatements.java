package dev.once.events;

import dev.once.jdbc.internal.Parameters;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/** The statements of operators. */
final class ProcessedEventStatements {
  private static final String SELECT =
      """
      SELECT handler, event_id, aggregate, sequence, state, owner, fence, attempts, error,
        started_at, finished_at, died_at
      FROM ${schema}.processed_event
      """;

  private static final String FIND = SELECT + "WHERE handler = ? AND event_id = ?";
  private static final String FIND_ALL = SELECT + "WHERE event_id = ? ORDER BY handler";

  private static final String GIVEN_UP =
      SELECT
          + """
          WHERE handler = ? AND died_at IS NOT NULL AND (died_at, event_id) > (?, ?)
            AND (state = ? OR state = 'failed' AND redriven)
          ORDER BY died_at, event_id LIMIT ?
          """;

  private static final String LAST_SEQUENCE =
      "SELECT last_sequence FROM ${schema}.aggregate_version WHERE handler = ? AND aggregate = ?";

  /**
   * Goes from each handler to the next one in the index, because a handler has many rows. Names of
   * stores have a colon, those of consumers have none.
   */
  private static final String HANDLERS =
      """
      WITH RECURSIVE found (handler) AS (
        SELECT min(handler) FROM ${schema}.aggregate_version
        UNION ALL
        SELECT (SELECT min(v.handler) FROM ${schema}.aggregate_version v WHERE v.handler > f.handler)
        FROM found f WHERE f.handler IS NOT NULL)
      SELECT f.handler FROM found f WHERE f.handler IS NOT NULL AND strpos(f.handler, ':') = 0
      """;

  private static final String LAST_SEQUENCES =
      """
      SELECT h.handler, v.last_sequence FROM unnest(?) AS h (handler)
      CROSS JOIN LATERAL (
        SELECT v.last_sequence FROM ${schema}.aggregate_version v
        WHERE v.handler = h.handler AND v.aggregate = ?
        LIMIT 1) v
      """;

  /** The time of giving up is kept until the next claim: so an operator finds the event again. */
  private static final String REDRIVE =
      """
      UPDATE ${schema}.processed_event SET
        state = 'failed', attempts = 0, redriven = true, next_attempt_at = clock_timestamp(),
        finished_at = NULL
      WHERE handler = ? AND
      """;

  private static final String ONE = "event_id = ? AND state IN ('failed', 'skipped', 'dead')";
  private static final String ALL_DEAD = "died_at IS NOT NULL AND state = 'dead'";

  private ProcessedEventStatements() {}

  static Optional<ProcessedEvent> find(
      Connection connection, String schema, String handler, String eventId) throws SQLException {
    try (PreparedStatement statement = prepare(connection, schema, FIND)) {
      new Parameters(statement).text(handler).text(eventId);
      return readAll(statement).stream().findFirst();
    }
  }

  static List<ProcessedEvent> find(Connection connection, String schema, String eventId)
      throws SQLException {
    try (PreparedStatement statement = prepare(connection, schema, FIND_ALL)) {
      new Parameters(statement).text(eventId);
      return readAll(statement);
    }
  }

  /** A place in the order in which a handler gave up events. */
  record GivenUpCursor(String handler, Instant after, String afterId) {}

  static List<ProcessedEvent> givenUp(
      Connection connection, String schema, GivenUpCursor cursor, ProcessedState state, int limit)
      throws SQLException {
    try (PreparedStatement statement = prepare(connection, schema, GIVEN_UP)) {
      new Parameters(statement)
          .text(cursor.handler())
          .time(cursor.after())
          .text(cursor.afterId())
          .text(state.column())
          .number(limit);
      return readAll(statement);
    }
  }

  static List<String> handlers(Connection connection, String schema) throws SQLException {
    try (PreparedStatement statement = prepare(connection, schema, HANDLERS);
        ResultSet rows = statement.executeQuery()) {
      List<String> handlers = new ArrayList<>();
      while (rows.next()) {
        handlers.add(rows.getString(1));
      }
      return handlers;
    }
  }

  static Map<String, Long> lastSequences(Connection connection, String schema, String aggregate)
      throws SQLException {
    List<String> handlers = handlers(connection, schema);
    try (PreparedStatement statement = prepare(connection, schema, LAST_SEQUENCES)) {
      new Parameters(statement).texts(handlers, Function.identity()).text(aggregate);
      Map<String, Long> sequences = new TreeMap<>();
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          sequences.put(rows.getString(1), rows.getLong(2));
        }
      }
      return sequences;
    }
  }

  static long lastSequence(Connection connection, String schema, String handler, String aggregate)
      throws SQLException {
    try (PreparedStatement statement = prepare(connection, schema, LAST_SEQUENCE)) {
      new Parameters(statement).text(handler).text(aggregate);
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? row.getLong(1) : 0;
      }
    }
  }

  /** Redrives one event, or all that are dead, and returns how many. */
  static int redrive(Connection connection, String schema, String handler, Optional<String> eventId)
      throws SQLException {
    String sql = REDRIVE + (eventId.isPresent() ? ONE : ALL_DEAD);
    try (PreparedStatement statement = prepare(connection, schema, sql)) {
      Parameters parameters = new Parameters(statement).text(handler);
      if (eventId.isPresent()) {
        parameters.text(eventId.get());
      }
      return statement.executeUpdate();
    }
  }

  private static PreparedStatement prepare(Connection connection, String schema, String sql)
      throws SQLException {
    return connection.prepareStatement(sql.replace("${schema}", schema));
  }

  private static List<ProcessedEvent> readAll(PreparedStatement statement) throws SQLException {
    List<ProcessedEvent> events = new ArrayList<>();
    try (ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        events.add(read(rows));
      }
    }
    return events;
  }

  private static ProcessedEvent read(ResultSet row) throws SQLException {
    return new ProcessedEvent(
        row.getString("handler"),
        row.getString("event_id"),
        row.getString("aggregate"),
        row.getLong("sequence"),
        ProcessedState.of(row.getString("state")),
        row.getString("owner"),
        row.getLong("fence"),
        row.getInt("attempts"),
        Optional.ofNullable(row.getString("error")),
        row.getTimestamp("started_at").toInstant(),
        time(row, "finished_at"),
        time(row, "died_at"));
  }

  private static Optional<Instant> time(ResultSet row, String column) throws SQLException {
    return Optional.ofNullable(row.getTimestamp(column)).map(Timestamp::toInstant);
  }
}
