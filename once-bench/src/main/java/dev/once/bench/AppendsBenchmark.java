package dev.once.bench;

import dev.once.events.AppendCondition;
import dev.once.events.EventData;
import dev.once.events.EventsSchema;
import dev.once.events.PostgresEventStore;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Appends events one by one: Once's store, and a plain INSERT into a table with equal indexes. */
record AppendsBenchmark(Session session, BenchDatabase database) {
  private static final double AIM = 0.7;
  private static final int AGGREGATES = 1000;
  private static final String SCHEMA = EventsSchema.DEFAULT_NAME;
  private static final String INSERT =
      """
      INSERT INTO plain_event (
        aggregate, sequence, event_id, xact, appended_at, aggregate_type, aggregate_id, kind, type,
        source, content_type, fingerprint, metadata, data)
      VALUES (?, ?, ?, ?, clock_timestamp(), ?, ?, 'event', ?, ?, ?, ?, '{}', ?)
      """;

  static Table run(Session session, BenchDatabase database) throws Exception {
    database.execute("CREATE TABLE plain_event (LIKE %s.event INCLUDING ALL)".formatted(SCHEMA));
    SpeedTable table =
        SpeedTable.of(session, "events", "Appending events, each in a commit", "events", 1);
    AppendsBenchmark benchmark = new AppendsBenchmark(session, database);
    for (int callers : session.callersUpTo(Part.MAX_CALLERS)) {
      benchmark.compare(table, callers);
    }
    return table.table();
  }

  private void compare(SpeedTable table, int callers) throws Exception {
    PostgresEventStore store = PostgresEventStore.over(database.pool());
    List<String> aggregates = Sample.newKeys(AGGREGATES);
    AtomicLong numbers = new AtomicLong(System.nanoTime());
    Series once =
        session.series(
            "Once, append",
            callers,
            database.clocks(),
            () ->
                store.append(EventSample.newEvent(Sample.anyOf(aggregates)), AppendCondition.ANY));
    Series plain =
        session.series(
            "plain INSERT",
            callers,
            database.clocks(),
            () ->
                insert(EventSample.newEvent(Sample.anyOf(aggregates)), numbers.incrementAndGet()));
    table.compare(
        callers,
        database::settle,
        new SpeedTable.Contest(
            "append",
            AIM,
            once.counting(() -> count(SCHEMA + ".event"), 1)
                .noting("sequence, order of the log, duplicates by id and fingerprint"),
            plain.counting(() -> count("plain_event"), 1).noting("a given sequence")));
  }

  private void insert(EventData event, long number) throws Exception {
    database.update(
        INSERT,
        event.aggregate().key(),
        number,
        event.id(),
        number,
        event.aggregate().type(),
        event.aggregate().id(),
        event.type(),
        event.source(),
        event.contentType(),
        Sample.FINGERPRINT.toString(),
        event.data());
  }

  private long count(String table) throws Exception {
    return database.number("SELECT count(*) FROM " + table);
  }
}
