package dev.once.bench;

import dev.once.events.AppendCondition;
import dev.once.events.Event;
import dev.once.events.EventConsumer;
import dev.once.events.EventData;
import dev.once.events.EventsSchema;
import dev.once.events.PostgresEventStore;
import dev.once.events.ProcessedEvents;
import dev.once.events.Settlement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A log and a registry that are full of events, ten for each aggregate. */
final class EventScale implements LargeAgainstSmall.Tables, AutoCloseable {
  private static final String SCHEMA = EventsSchema.DEFAULT_NAME;
  private static final String HANDLER = "projection";
  private static final int PAGE = 100;

  /** Places of the log from which pages are read. */
  private static final int PLACES = 1000;

  private static final String AGGREGATES =
      """
      INSERT INTO %s.aggregate_version (handler, aggregate, last_sequence, last_xact, last_time)
      SELECT handler, 'order/' || md5((n / 10)::text), 10, 0, now()
      FROM generate_series(${first}, ${last}, 10) AS n,
        unnest(ARRAY['write_side:order', '%s']) AS handler
      """
          .formatted(SCHEMA, HANDLER);
  private static final String EVENTS =
      """
      INSERT INTO %1$s.event (
        aggregate, sequence, event_id, xact, appended_at, aggregate_type, aggregate_id, kind, type,
        source, content_type, fingerprint, metadata, data)
      SELECT
        'order/' || md5((n / 10)::text), n %% 10 + 1, md5('event' || n), xact, now(), 'order',
        md5((n / 10)::text), 'event', 'order.changed', '/once', 'application/json',
        'sha256:' || md5(n::text), '{}', convert_to('{"order":' || n || ',"total":"19.90"}', 'UTF8')
      FROM generate_series(${first}, ${last}) AS n, %1$s.log_xact() AS xact ORDER BY n
      """
          .formatted(SCHEMA);
  private static final String PROCESSED =
      """
      INSERT INTO %s.processed_event (
        handler, event_id, aggregate, sequence, state, owner, token, fence, lease_until,
        heartbeat_at, attempts, started_at, finished_at)
      SELECT '%s', md5('event' || n), 'order/' || md5((n / 10)::text), n %% 10 + 1, 'done', 'bench',
        n, nextval('%1$s.processed_event_fence'), now(), now(), 1, now(), now()
      FROM generate_series(${first}, ${last}) AS n
      """
          .formatted(SCHEMA, HANDLER);

  private final BenchDatabase database;
  private final long rows;
  private final PostgresEventStore store;
  private final List<String> places = new ArrayList<>();
  private final AtomicLong sequences = new AtomicLong(EventSample.PER_AGGREGATE);
  private final EventConsumer consumer;

  /** Fills the tables. */
  EventScale(Session session, BenchDatabase database, long rows) throws SQLException {
    EventsSchema.named(SCHEMA).apply(database.pool());
    this.database = database;
    this.rows = rows;
    this.store = PostgresEventStore.over(database.pool());
    database.fill(session, "events", rows, AGGREGATES, EVENTS, PROCESSED);
    findPlaces();
    this.consumer =
        EventConsumer.named(HANDLER)
            .registry(ProcessedEvents.over(database.pool()))
            .startTransactional((event, connection) -> {});
  }

  private void findPlaces() throws SQLException {
    String sql =
        "SELECT xact || ':' || position FROM %s.event WHERE position %% %d = 1 AND position <= %d"
            .formatted(SCHEMA, Math.max(2, rows / PLACES), rows - PAGE);
    database.lend(
        connection -> {
          try (ResultSet row = connection.createStatement().executeQuery(sql)) {
            while (row.next()) {
              places.add(row.getString(1));
            }
          }
        });
  }

  @Override
  public BenchDatabase database() {
    return database;
  }

  @Override
  public String name() {
    return "%,d events".formatted(rows);
  }

  /** Appends an event to a random aggregate. */
  void append() {
    store.append(EventSample.newEvent(anyAggregate()), AppendCondition.ANY);
  }

  /** Reads a page from a random place of the log. */
  void readPage() {
    int found = store.log().read(Sample.anyOf(places), PAGE).events().size();
    if (found != PAGE) {
      throw new IllegalStateException("a page must have %d events, got %d".formatted(PAGE, found));
    }
  }

  /** Claims and settles a new event of a random aggregate. */
  void handle() throws Exception {
    EventData data = EventSample.newEvent(anyAggregate());
    Event event = new Event(data, sequences.incrementAndGet(), Instant.now());
    Settlement settlement = consumer.submit(event).get();
    // Stale if a later event of the aggregate was faster, which is rare.
    if (!(settlement instanceof Settlement.Handled || settlement instanceof Settlement.Stale)) {
      throw new IllegalStateException("not handled: " + settlement);
    }
  }

  private String anyAggregate() {
    long number =
        ThreadLocalRandom.current().nextLong(Math.max(1, rows / EventSample.PER_AGGREGATE));
    return Sample.md5(number);
  }

  @Override
  public void close() {
    consumer.close();
    database.close();
  }
}
