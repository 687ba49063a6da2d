package dev.once.bench;

import dev.once.events.EventsSchema;
import java.util.ArrayList;
import java.util.List;

/** Consumers, relays and event stores: Once's beside others', and as the log grows. */
record EventsBenchmark(Session session) {
  static Report run(Session session) throws Exception {
    List<Table> tables = new ArrayList<>();
    try (BenchDatabase database = session.database("events")) {
      EventsSchema.named(EventsSchema.DEFAULT_NAME).apply(database.pool());
      tables.add(HandlersBenchmark.run(session, database));
      tables.add(RelaysBenchmark.run(session, database));
      tables.add(AppendsBenchmark.run(session, database));
    }
    tables.add(new EventsBenchmark(session).compareLogs());
    return new Report(
        "%s Backlogs of %,d events; Kafka 4.2 with %d partitions, in the JVM of the callers."
            .formatted(session.describe(), session.settings().jobs(), BenchKafka.PARTITIONS),
        tables);
  }

  private Table compareLogs() throws Exception {
    long rows = session.settings().rows();
    long few = LargeAgainstSmall.SMALL_ROWS;
    String title = "%,d events in log and registry beside %,d".formatted(rows, few);
    SpeedTable table = SpeedTable.of(session, "events", title);
    try (EventScale small = new EventScale(session, session.database("small"), few);
        EventScale large = new EventScale(session, session.database("large"), rows)) {
      var logs = new LargeAgainstSmall<>(session, large, small);
      for (int callers : session.callersUpTo(LargeAgainstSmall.MAX_CALLERS)) {
        table.compare(
            callers,
            () -> {},
            logs.contest("append", callers, EventScale::append),
            logs.contest("page of 100 events of the log", callers, EventScale::readPage),
            logs.contest("claim and settle", callers, EventScale::handle));
      }
    }
    return table.table();
  }
}
