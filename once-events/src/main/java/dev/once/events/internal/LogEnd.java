package dev.once.events.internal;

import dev.once.jdbc.internal.Parameters;
import dev.once.jdbc.internal.TransactionRunner;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * Finds how far a log of reserved places can be read.
 *
 * <p>A reader first writes down the time T up to which it wants to read, and then waits for the
 * transactions that have an id by then. Those may reserve a place before T; all later ones see T
 * and reserve after it. From then on every place before T is settled, or has a reservation that the
 * reader sees.
 */
final class LogEnd {
  private final TransactionRunner transactions;
  private final String log;
  private final String decide;
  private final String firstOpen;

  private @Nullable Candidate candidate;
  private Instant settledBefore = Instant.EPOCH;

  LogEnd(TransactionRunner transactions, String schema, String log) {
    this.transactions = transactions;
    this.log = log;
    this.decide =
        """
        INSERT INTO %s.log_time AS t (log, read_until) VALUES (?, clock_timestamp())
        ON CONFLICT (log) DO UPDATE SET read_until = greatest(t.read_until, excluded.read_until)
        RETURNING read_until
        """
            .formatted(schema);
    this.firstOpen =
        """
        SELECT pg_snapshot_xmin(pg_current_snapshot()) >= CAST(? AS xid8) AS ended,
               (SELECT min(event_time) FROM %s.sequence_reservation WHERE log = ?) AS open
        """
            .formatted(schema);
  }

  /** A time, and the first transaction id that surely sees it. */
  private record Candidate(Instant time, String xact) {}

  synchronized Instant settledBefore() {
    if (candidate == null) {
      candidate = decide();
    }
    Candidate decided = candidate;
    transactions.run("reading the end of the log", connection -> confirm(connection, decided));
    return settledBefore;
  }

  private Candidate decide() {
    Instant time = transactions.run("deciding how far the log is read", this::writeTime);
    // In a transaction of its own: its snapshot must be taken after the time was committed.
    return new Candidate(time, transactions.run("reading the end of the log", LogEnd::nextXact));
  }

  private Instant writeTime(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(decide)) {
      new Parameters(statement).text(log);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getTimestamp(1).toInstant();
      }
    }
  }

  private static String nextXact(Connection connection) throws SQLException {
    String sql = "SELECT pg_snapshot_xmax(pg_current_snapshot())::text";
    try (PreparedStatement statement = connection.prepareStatement(sql);
        ResultSet row = statement.executeQuery()) {
      row.next();
      return row.getString(1);
    }
  }

  private boolean confirm(Connection connection, Candidate decided) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(firstOpen)) {
      new Parameters(statement).text(decided.xact()).text(log);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        boolean ended = row.getBoolean("ended");
        if (ended) {
          Instant after = decided.time().plus(1, ChronoUnit.MICROS);
          Instant open =
              row.getTimestamp("open") == null ? after : row.getTimestamp("open").toInstant();
          settledBefore = open.isBefore(after) ? open : after;
          candidate = open.isBefore(after) ? decided : null;
        }
        return ended;
      }
    }
  }
}
