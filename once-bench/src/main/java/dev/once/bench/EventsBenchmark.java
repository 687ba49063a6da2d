package dev.once.bench;

import dev.once.events.EventsSchema;
import java.util.ArrayList;
import java.util.List;

/** Consumers, relays and event stores: Once's beside others', and as the log grows. */
record EventsBenchmark(Session session) {
  private static final long SMALL_LOG = 10_000;

  /** The least throughput with the large log, as a share of that with the small one. */
  private static final double LARGE_THROUGHPUT = 0.77;

  /** With more callers the wait for connections would dominate, not the tables. */
  private static final int MAX_CALLERS = 16;

  /** Work on one of the logs. */
  @FunctionalInterface
  private interface Work {
    void perform(EventScale log) throws Exception;
  }

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
    SpeedTable table =
        SpeedTable.of(
            session,
            "events",
            "%,d events in log and registry beside %,d".formatted(rows, SMALL_LOG));
    try (EventScale small = new EventScale(session, session.database("small"), SMALL_LOG);
        EventScale large = new EventScale(session, session.database("large"), rows)) {
      for (int callers : session.callersUpTo(MAX_CALLERS)) {
        table.compare(
            callers,
            () -> {},
            contest("append", callers, large, small, EventScale::append),
            contest("page of 100 events of the log", callers, large, small, EventScale::readPage),
            contest("claim and settle", callers, large, small, EventScale::handle));
      }
    }
    return table.table();
  }

  private SpeedTable.Contest contest(
      String work, int callers, EventScale large, EventScale small, Work calls) {
    return new SpeedTable.Contest(
        work, LARGE_THROUGHPUT, series(large, callers, calls), series(small, callers, calls));
  }

  private Series series(EventScale log, int callers, Work work) {
    return session.series(log.name(), callers, log.database().clocks(), () -> work.perform(log));
  }
}
