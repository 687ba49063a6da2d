package dev.once.bench;

import dev.once.events.Event;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Consumers handle a backlog of events, and the same events again after a restart. The events come
 * from memory, not from Kafka: all contestants would read the same topic in the same way.
 */
record HandlersBenchmark(Session session, BenchDatabase database, HandledRows rows) {
  /** The least speed with the registry, as a share of the same consumer's without. */
  private static final double REGISTRY_AIM = 0.5;

  private static final double EVENTUATE_AIM = 4;

  static Table run(Session session, BenchDatabase database) throws Exception {
    HandledRows rows = new HandledRows(database);
    rows.createTable();
    Eventuate eventuate = new Eventuate(database);
    eventuate.createTables();
    int threads = session.settings().connections();
    OnceConsumer once = new OnceConsumer(database, threads, session.settings().jobs());
    SpeedTable table = SpeedTable.of(session, "events", "Consumers of events", "events", 1);
    HandlersBenchmark benchmark = new HandlersBenchmark(session, database, rows);
    for (boolean isAgain : new boolean[] {false, true}) {
      benchmark.compare(
          table,
          isAgain,
          once.transactional(),
          once.leased(),
          once.withoutRegistry(),
          eventuate.handler(threads));
    }
    return table.table();
  }

  private void compare(
      SpeedTable table,
      boolean isAgain,
      EventHandler transactional,
      EventHandler leased,
      EventHandler unregistered,
      EventHandler eventuate)
      throws Exception {
    String work = isAgain ? "known events, after a restart" : "new events";
    double registryAim = isAgain ? SpeedTable.NO_AIM : REGISTRY_AIM;
    Series first = series(transactional, isAgain);
    Series second = series(leased, isAgain);
    Series third = series(unregistered, isAgain);
    table.compare(
        session.comparison("events, " + work, 1),
        Integer.toString(session.settings().connections()),
        () -> {},
        List.of(
            new SpeedTable.Contest(work, registryAim, first, third),
            new SpeedTable.Contest(work + ", leased", registryAim, second, third),
            new SpeedTable.Contest(
                work + ", beside Eventuate", EVENTUATE_AIM, first, series(eventuate, isAgain))));
  }

  private Series series(EventHandler handler, boolean isAgain) {
    EventCounts counts = new EventCounts();
    List<Event> events = new ArrayList<>();
    return new Series(handler.name(), () -> round(handler, events, counts), database.clocks())
        .preparedBy(() -> deliver(handler, events, isAgain))
        .noting(() -> handler.note() + "; " + counts);
  }

  /** Replaces the events of the last round. */
  private void deliver(EventHandler handler, List<Event> events, boolean isAgain) {
    rows.clear();
    events.clear();
    events.addAll(EventSample.received(EventSample.newEvents(session.settings().jobs())));
    if (isAgain) {
      handle(handler, events);
    }
    database.settle();
  }

  private Round round(EventHandler handler, List<Event> events, EventCounts counts)
      throws SQLException {
    long nanos = handle(handler, events);
    counts.addLost(events.size() - rows.events());
    counts.addDuplicates(rows.rows() - rows.events());
    return Round.untimed(events.size(), nanos);
  }

  /** Handles the events in a process of their own, and returns the time that it takes. */
  private static long handle(EventHandler handler, List<Event> events) {
    try (EventHandler.Running process = handler.process().start()) {
      long begin = System.nanoTime();
      process.handle(events);
      return System.nanoTime() - begin;
    } catch (Exception e) {
      throw new IllegalStateException(handler.name() + " fails", e);
    }
  }
}
