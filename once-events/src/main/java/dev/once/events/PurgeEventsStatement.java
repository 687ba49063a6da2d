package dev.once.events;

import dev.once.jdbc.internal.Parameters;
import dev.once.jdbc.internal.TransactionRunner;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;

/**
 * Deletes events that are done or skipped, in batches from the oldest on. Dead events stay; each
 * batch starts where the one before ended, so that they are read only once.
 */
final class PurgeEventsStatement {
  static final int BATCH_SIZE = 1000;

  private static final String SQL =
      """
      WITH expired AS MATERIALIZED (
        SELECT e.ctid AS place
        FROM ${schema}.processed_event e
        -- A stable function: the index is of no use for a volatile one.
        WHERE e.started_at >= ?
          AND e.started_at < statement_timestamp() - ? * interval '1 microsecond'
          AND e.finished_at < statement_timestamp() - ? * interval '1 microsecond'
          AND e.state IN ('done', 'skipped')
          -- Only then its sequence alone keeps it from being handled again.
          AND e.sequence <= (
            SELECT v.last_sequence FROM ${schema}.aggregate_version v
            WHERE v.handler = e.handler AND v.aggregate = e.aggregate)
        ORDER BY e.started_at
        LIMIT ?
        FOR UPDATE OF e SKIP LOCKED),
      deleted AS (
        DELETE FROM ${schema}.processed_event e
        WHERE e.ctid = ANY (ARRAY(SELECT x.place FROM expired x))
        RETURNING e.started_at)
      SELECT count(*), max(started_at) FROM deleted
      """;

  private final String sql;
  private final Duration retention;

  PurgeEventsStatement(String schema, Duration retention) {
    this.sql = SQL.replace("${schema}", schema);
    this.retention = retention;
  }

  /** Deletes batch after batch until nothing is left, and returns how many events. */
  long run(TransactionRunner work) {
    long deleted = 0;
    Batch batch = new Batch(0, Instant.EPOCH);
    do {
      Instant from = batch.last();
      batch = work.run("purging events", connection -> execute(connection, from));
      deleted += batch.deleted();
    } while (batch.deleted() == BATCH_SIZE);
    return deleted;
  }

  /** A batch, and when its last event was claimed first. */
  record Batch(long deleted, Instant last) {}

  Batch execute(Connection connection, Instant from) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      new Parameters(statement)
          .time(from)
          .duration(retention)
          .duration(retention)
          .number(BATCH_SIZE);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        Timestamp last = row.getTimestamp(2);
        return new Batch(row.getLong(1), last == null ? from : last.toInstant());
      }
    }
  }
}
