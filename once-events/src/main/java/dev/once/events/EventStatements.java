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
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;

/** The statements of the store, for the tables of one PostgreSQL schema. */
final class EventStatements {
  /** A page of the log ends early if its events take more memory. */
  static final long MAX_PAGE_BYTES = 16 << 20;

  private static final String COLUMNS =
      """
      event_id, aggregate_type, aggregate_id, sequence, appended_at, kind, type, source,
      content_type, metadata, data, xact, position
      """;

  private final String handlerPrefix;
  private final String append;
  private final String find;
  private final String read;
  private final String readLog;
  private final String heldSince;
  private final String isAhead;
  private final String adopt;
  private final String lastSequence;
  private final String save;
  private final String snapshot;

  EventStatements(String schema, String handlerPrefix) {
    this.handlerPrefix = handlerPrefix;
    this.append =
        "SELECT * FROM "
            + schema
            + ".append_events(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
    String select = "SELECT " + COLUMNS + " FROM " + schema + ".event ";
    this.find = select + "WHERE event_id = ?";
    this.read = select + "WHERE aggregate = ? AND sequence > ? ORDER BY sequence LIMIT ?";
    // The size of data is known without reading it, where it is large.
    this.readLog =
        """
        SELECT %1$s FROM (
          SELECT page.*, sum(octet_length(data) + octet_length(metadata))
            OVER (ORDER BY xact, position) - octet_length(data) - octet_length(metadata)
            AS bytes_before
          FROM (
            SELECT %1$s FROM %2$s.event
            WHERE (xact, position) > (?, ?) AND xact < (SELECT %2$s.log_end())
            ORDER BY xact, position LIMIT ?) page) sized
        WHERE bytes_before < ?
        ORDER BY xact, position
        """
            .formatted(COLUMNS, schema);
    // The first ones by their transactions: the oldest of all would be found by reading all.
    this.heldSince =
        """
        SELECT min(appended_at) FROM (
          SELECT appended_at FROM %1$s.event WHERE xact >= (SELECT %1$s.log_end())
          ORDER BY xact, position LIMIT 1000) held
        """
            .formatted(schema);
    this.isAhead =
        """
        SELECT FROM (SELECT xact FROM %1$s.event ORDER BY xact DESC, position DESC LIMIT 1) last
        WHERE xact >= (SELECT pg_snapshot_xmax(pg_current_snapshot())::text::bigint + value
                       FROM %1$s.log_offset)
        """
            .formatted(schema);
    this.adopt = "SELECT " + schema + ".adopt_moved_log()";
    this.lastSequence =
        "SELECT last_sequence FROM "
            + schema
            + ".aggregate_version WHERE handler = ? AND aggregate = ?";
    this.save =
        """
        INSERT INTO %s.snapshot AS s (aggregate, sequence, data) VALUES (?, ?, ?)
        ON CONFLICT (aggregate) DO UPDATE SET sequence = excluded.sequence, data = excluded.data
        WHERE s.sequence <= excluded.sequence
        """
            .formatted(schema);
    this.snapshot = "SELECT sequence, data FROM " + schema + ".snapshot WHERE aggregate = ?";
  }

  /**
   * Appends events, and returns the results in their order.
   *
   * @param waits whether to wait for transactions that append to the same aggregates; otherwise the
   *     result is {@link AppendResult.Busy}
   * @param lockMillis the longest wait for a lock; empty if the caller's transaction has its own
   */
  List<AppendResult> append(
      Connection connection, List<AppendRequest> requests, boolean waits, OptionalInt lockMillis)
      throws SQLException {
    List<EventData> events = requests.stream().map(AppendRequest::event).toList();
    try (PreparedStatement statement = connection.prepareStatement(append)) {
      new Parameters(statement)
          .flag(waits)
          .number(lockMillis)
          .texts(events, it -> handler(it.aggregate()))
          .texts(events, it -> it.aggregate().key())
          .optionalNumbers(requests, it -> it.condition().expected())
          .optionalNumbers(requests, it -> it.condition().given())
          .texts(events, EventData::id)
          .texts(events, it -> it.aggregate().type())
          .texts(events, it -> it.aggregate().id())
          .texts(events, it -> it.kind().name().toLowerCase(Locale.ROOT))
          .texts(events, EventData::type)
          .texts(events, EventData::source)
          .texts(events, EventData::contentType)
          .texts(requests, it -> it.fingerprint().toString())
          .texts(events, it -> MetadataJson.write(it.metadata()))
          .byteArrays(events, EventData::data);
      return appendResults(statement);
    }
  }

  private static List<AppendResult> appendResults(PreparedStatement statement) throws SQLException {
    List<AppendResult> results = new ArrayList<>();
    try (ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        results.add(
            switch (row.getString("result")) {
              case "appended" ->
                  new AppendResult.Done(row.getLong("sequence"), time(row, "appended_at"));
              case "duplicate" -> new AppendResult.Duplicate(row.getString("fingerprint"));
              case "conflict" -> new AppendResult.Conflict(row.getLong("sequence"));
              case "busy" -> new AppendResult.Busy();
              default -> throw new AssertionError("unhandled result " + row.getString("result"));
            });
      }
    }
    return results;
  }

  Optional<Event> find(Connection connection, String eventId) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(find)) {
      new Parameters(statement).text(eventId);
      return events(statement).stream().findFirst();
    }
  }

  List<Event> read(Connection connection, Aggregate aggregate, long after, int limit)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(read)) {
      new Parameters(statement).text(aggregate.key()).number(after).number(limit);
      return events(statement);
    }
  }

  /** Reads the log after a position, which is that of the last event read. */
  EventLog.Page readLog(Connection connection, LogPosition after, int limit) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(readLog)) {
      new Parameters(statement)
          .number(after.xact())
          .number(after.position())
          .number(limit)
          .number(MAX_PAGE_BYTES);
      List<Event> events = new ArrayList<>();
      LogPosition last = after;
      long bytes = 0;
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          Event event = event(rows);
          events.add(event);
          bytes += event.content().data().length + rows.getString("metadata").length();
          last = new LogPosition(rows.getLong("xact"), rows.getLong("position"));
        }
      }
      if (events.isEmpty()) {
        requireRisingIds(connection);
      }
      boolean isLast = events.size() < limit && bytes < MAX_PAGE_BYTES;
      return new EventLog.Page(events, last.toString(), isLast);
    }
  }

  /** Refuses a log that was moved to another cluster: new events would be before its end. */
  void requireRisingIds(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(isAhead);
        ResultSet row = statement.executeQuery()) {
      if (row.next()) {
        throw new IllegalStateException(
            "the log was moved from another cluster, which had higher transaction ids: call "
                + adopt);
      }
    }
  }

  /** Returns when the oldest event was appended that a running transaction keeps from readers. */
  Optional<Instant> heldSince(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(heldSince);
        ResultSet row = statement.executeQuery()) {
      row.next();
      return Optional.ofNullable(row.getTimestamp(1)).map(Timestamp::toInstant);
    }
  }

  long lastSequence(Connection connection, Aggregate aggregate) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(lastSequence)) {
      new Parameters(statement).text(handler(aggregate)).text(aggregate.key());
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? row.getLong(1) : 0;
      }
    }
  }

  boolean save(Connection connection, Snapshot snapshot) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(save)) {
      new Parameters(statement)
          .text(snapshot.aggregate().key())
          .number(snapshot.sequence())
          .bytes(snapshot.data());
      return statement.executeUpdate() == 1;
    }
  }

  Optional<Snapshot> snapshot(Connection connection, Aggregate aggregate) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(snapshot)) {
      new Parameters(statement).text(aggregate.key());
      try (ResultSet row = statement.executeQuery()) {
        return row.next()
            ? Optional.of(Snapshot.of(aggregate, row.getLong("sequence"), row.getBytes("data")))
            : Optional.empty();
      }
    }
  }

  private String handler(Aggregate aggregate) {
    return handlerPrefix + ":" + aggregate.type();
  }

  private static List<Event> events(PreparedStatement statement) throws SQLException {
    List<Event> events = new ArrayList<>();
    try (ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        events.add(event(rows));
      }
    }
    return events;
  }

  private static Event event(ResultSet row) throws SQLException {
    Aggregate aggregate =
        new Aggregate(row.getString("aggregate_type"), row.getString("aggregate_id"));
    byte[] data = row.getBytes("data");
    EventData content =
        EventData.of(row.getString("event_id"), aggregate, row.getString("type"), data)
            .withData(row.getString("content_type"), data)
            .withKind(EventKind.valueOf(row.getString("kind").toUpperCase(Locale.ROOT)))
            .withSource(row.getString("source"))
            .withMetadata(MetadataJson.read(row.getString("metadata")));
    return new Event(content, row.getLong("sequence"), time(row, "appended_at"));
  }

  private static Instant time(ResultSet row, String column) throws SQLException {
    return row.getTimestamp(column).toInstant();
  }
}
