package dev.once.events.internal;

import dev.once.Fingerprint;
import dev.once.events.Aggregate;
import dev.once.events.AppendCondition;
import dev.once.events.EventData;
import dev.once.jdbc.internal.Parameters;
import dev.once.jdbc.internal.TransactionRunner;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/**
 * Reserves sequences in PostgreSQL for events that are written elsewhere. A reservation ends with
 * {@link #release}: after the event was written, or after a marker took its place. Until then the
 * log is read no further than the event's time. Thread-safe.
 */
public final class PostgresSequences {
  private final TransactionRunner transactions;
  private final String log;
  private final Duration lease;
  private final String reserve;
  private final String release;
  private final String expired;
  private final String giveBack;
  private final String reserved;
  private final LogEnd end;

  /**
   * Creates an allocator.
   *
   * @param log the prefix of its handlers, which separates it from other logs in the schema
   * @param lease how long an append may take before a reader may put a marker in its place
   */
  public PostgresSequences(DataSource dataSource, String schema, String log, Duration lease) {
    this.transactions = new TransactionRunner(dataSource);
    this.log = log;
    this.lease = lease;
    this.reserve =
        "SELECT * FROM %s.reserve_sequence(?, ?, ?, ?, ?, ?, ? * interval '1 microsecond')"
            .formatted(schema);
    this.release =
        """
        DELETE FROM %s.sequence_reservation
        WHERE log = ? AND event_id = ? AND aggregate = ? AND sequence = ?
        """
            .formatted(schema);
    this.expired =
        """
        SELECT event_id, aggregate, sequence, event_time FROM %s.sequence_reservation
        WHERE log = ? AND expires_at < clock_timestamp() ORDER BY event_time LIMIT ?
        """
            .formatted(schema);
    this.giveBack =
        """
        WITH open AS (
          -- Locked first: of two callers that give back the same place, one finds it.
          SELECT r.event_id, r.aggregate, r.sequence FROM %1$s.sequence_reservation r
          WHERE r.log = ? AND r.event_id = ? AND r.aggregate = ? AND r.sequence = ?
          FOR UPDATE),
        returned AS (
          UPDATE %1$s.aggregate_version v SET last_sequence = v.last_sequence - 1
          FROM open
          WHERE v.handler = ? AND v.aggregate = open.aggregate AND v.last_sequence = open.sequence
          RETURNING open.event_id),
        ended AS (
          DELETE FROM %1$s.sequence_reservation r USING returned
          WHERE r.log = ? AND r.event_id = returned.event_id
          RETURNING r.event_id)
        SELECT NOT EXISTS (SELECT FROM open) OR EXISTS (SELECT FROM ended)
        """
            .formatted(schema);
    this.reserved =
        """
        SELECT v.last_sequence, (
          SELECT min(r.sequence) FROM %1$s.sequence_reservation r
          WHERE r.log = ? AND r.aggregate = v.aggregate) AS first_open
        FROM %1$s.aggregate_version v WHERE v.handler = ? AND v.aggregate = ?
        """
            .formatted(schema);
    this.end = new LogEnd(transactions, schema, log);
  }

  /** Reserves the next sequence, or returns the reservation that the event has already. */
  public ReserveResult reserve(
      EventData event, Fingerprint fingerprint, AppendCondition condition) {
    return transactions.run(
        "reserving a sequence for event " + event,
        connection -> reserve(connection, event, fingerprint, condition));
  }

  private ReserveResult reserve(
      Connection connection, EventData event, Fingerprint fingerprint, AppendCondition condition)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(reserve)) {
      String aggregate = event.aggregate().key();
      new Parameters(statement)
          .text(log)
          .text(handler(event.aggregate()))
          .text(aggregate)
          .number(condition.expected())
          .text(event.id())
          .text(fingerprint.toString())
          .duration(lease);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        long sequence = row.getLong("sequence");
        return switch (row.getString("result")) {
          case "reserved" ->
              new ReserveResult.Reserved(
                  new Reservation(event.id(), aggregate, sequence, time(row)));
          case "mismatch" ->
              new ReserveResult.Mismatch(Fingerprint.parse(row.getString("fingerprint")));
          case "conflict" -> new ReserveResult.Conflict(sequence);
          default -> throw new AssertionError("unhandled result " + row.getString("result"));
        };
      }
    }
  }

  /** Ends a reservation: its place in the log is settled. */
  public void release(Reservation reservation) {
    transactions.run(
        "releasing the sequence of event " + reservation.eventId(),
        connection -> {
          try (PreparedStatement statement = connection.prepareStatement(release)) {
            new Parameters(statement)
                .text(log)
                .text(reservation.eventId())
                .text(reservation.aggregate())
                .number(reservation.sequence());
            return statement.executeUpdate();
          }
        });
  }

  /**
   * Ends a reservation whose place stays unused, if it is the last one of its aggregate: the next
   * reservation gets its sequence.
   *
   * @return whether the reservation has ended, now or before; if not, it is as it was
   */
  public boolean giveBack(Aggregate aggregate, Reservation reservation) {
    return transactions.run(
        "giving back the sequence of event " + reservation.eventId(),
        connection -> {
          try (PreparedStatement statement = connection.prepareStatement(giveBack)) {
            new Parameters(statement)
                .text(log)
                .text(reservation.eventId())
                .text(reservation.aggregate())
                .number(reservation.sequence())
                .text(handler(aggregate))
                .text(log);
            try (ResultSet row = statement.executeQuery()) {
              row.next();
              return row.getBoolean(1);
            }
          }
        });
  }

  /** Returns reservations whose appends should have ended, the oldest first. */
  public List<Reservation> expired(int limit) {
    return transactions.run(
        "reading expired reservations",
        connection -> {
          try (PreparedStatement statement = connection.prepareStatement(expired)) {
            new Parameters(statement).text(log).number(limit);
            List<Reservation> found = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery()) {
              while (rows.next()) {
                found.add(
                    new Reservation(
                        rows.getString("event_id"),
                        rows.getString("aggregate"),
                        rows.getLong("sequence"),
                        time(rows)));
              }
            }
            return found;
          }
        });
  }

  /** Returns how far the sequences of an aggregate are reserved, and how far they are settled. */
  public ReservedSequences reserved(Aggregate aggregate) {
    return transactions.run(
        "reading the sequence of " + aggregate,
        connection -> {
          try (PreparedStatement statement = connection.prepareStatement(reserved)) {
            new Parameters(statement).text(log).text(handler(aggregate)).text(aggregate.key());
            try (ResultSet row = statement.executeQuery()) {
              if (!row.next()) {
                return new ReservedSequences(0, 0);
              }
              long last = row.getLong("last_sequence");
              long firstOpen = row.getLong("first_open");
              return new ReservedSequences(last, row.wasNull() ? last : firstOpen - 1);
            }
          }
        });
  }

  /** Returns the time before which all places of the log are settled. */
  public Instant settledBefore() {
    return end.settledBefore();
  }

  private String handler(Aggregate aggregate) {
    return log + ":" + aggregate.type();
  }

  private static Instant time(ResultSet row) throws SQLException {
    return row.getTimestamp("event_time").toInstant();
  }
}
