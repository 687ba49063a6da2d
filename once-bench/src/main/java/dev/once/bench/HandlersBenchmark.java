package dev.once.bench;

import dev.once.bench.SpeedTable.Contest;
import dev.once.events.Event;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Consumers handle a backlog of events, and the same events again after a restart. The events come
 * from memory, not from Kafka: all contestants would read the same topic in the same way.
 */
record HandlersBenchmark(Session session, BenchDatabase database, RunRows rows) {
  /** The least speed with the registry, as a share of the same consumer's without. */
  private static final double REGISTRY_AIM = 0.5;

  private static final double EVENTUATE_AIM = 4;

  static Table run(Session session, BenchDatabase database) throws Exception {
    RunRows rows = new RunRows(database);
    rows.createTable();
    Eventuate eventuate = new Eventuate(database);
    eventuate.createTables();
    int threads = session.settings().connections();
    OnceConsumer once = new OnceConsumer(database, threads, session.settings().jobs());
    SpeedTable table = SpeedTable.of(session, "events", "Consumers of events", "events", 1);
    HandlersBenchmark benchmark = new HandlersBenchmark(session, database, rows);
    List<Contestant<Supplier<ConsumerProcess>>> handlers =
        List.of(
            once.transactional(),
            once.leased(),
            once.withoutRegistry(),
            eventuate.handler(threads));
    benchmark.compare(table, "new events", REGISTRY_AIM, handlers, false);
    benchmark.compare(table, "known events", SpeedTable.NO_AIM, handlers, true);
    return table.table();
  }

  /**
   * @param isAgain whether an earlier process has handled the events
   */
  private void compare(
      SpeedTable table,
      String work,
      double aim,
      List<Contestant<Supplier<ConsumerProcess>>> handlers,
      boolean isAgain)
      throws Exception {
    List<EventCounts> counts = handlers.stream().map(it -> new EventCounts()).toList();
    List<Series> all =
        IntStream.range(0, handlers.size())
            .mapToObj(it -> series(handlers.get(it), counts.get(it), isAgain))
            .toList();
    Series withoutRegistry = all.get(2);
    table.compare(
        SpeedTable.Rounds.BACKLOG,
        work,
        Integer.toString(session.settings().connections()),
        () -> {},
        List.of(
            new Contest(work, aim, all.get(0), withoutRegistry),
            new Contest(work + ", leased", aim, all.get(1), withoutRegistry),
            new Contest(work + ", beside a detector", EVENTUATE_AIM, all.get(0), all.get(3))));
    table.add(counts.get(0).finding(work + ", transactional"));
    table.add(counts.get(1).finding(work + ", leased"));
  }

  private Series series(
      Contestant<Supplier<ConsumerProcess>> handler, EventCounts counts, boolean isAgain) {
    List<Event> events = new ArrayList<>();
    return new Series(handler.name(), () -> round(handler, events, counts), database.clocks())
        .preparedBy(() -> deliver(handler, events, isAgain))
        .noting(() -> handler.note() + "; " + counts);
  }

  /** Replaces the events of the last round. */
  private void deliver(
      Contestant<Supplier<ConsumerProcess>> handler, List<Event> events, boolean isAgain) {
    rows.clear();
    events.clear();
    events.addAll(EventSample.received(EventSample.newEvents(session.settings().jobs())));
    if (isAgain) {
      handle(handler, events);
    }
    database.settle();
  }

  private Round round(
      Contestant<Supplier<ConsumerProcess>> handler, List<Event> events, EventCounts counts)
      throws SQLException {
    long nanos = handle(handler, events);
    counts.addLost(events.size() - rows.ids());
    counts.addDuplicates(rows.repeated());
    return Round.untimed(events.size(), nanos);
  }

  /** Handles the events in a process of their own, and returns the time that it takes. */
  private static long handle(Contestant<Supplier<ConsumerProcess>> handler, List<Event> events) {
    try (ConsumerProcess process = handler.work().get()) {
      long begin = System.nanoTime();
      process.handle(events);
      return System.nanoTime() - begin;
    } catch (Exception e) {
      throw new IllegalStateException(handler.name() + " fails", e);
    }
  }
}
