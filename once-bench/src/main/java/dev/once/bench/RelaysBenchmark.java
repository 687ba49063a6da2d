package dev.once.bench;

import dev.once.events.EventData;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/**
 * Relays from PostgreSQL to Kafka publish a backlog, which becomes visible when the transaction
 * that wrote it commits, and a steady flow of events, each in a transaction of its own. The time
 * ends when a reader of the topic has an event.
 */
record RelaysBenchmark(Session session, BenchKafka kafka) {
  private static final double AIM = 1;
  private static final int EVENTS_PER_SECOND = 200;

  static Table run(Session session, BenchDatabase database) throws Exception {
    BenchKafka kafka = session.servers().kafka();
    RelaysBenchmark benchmark = new RelaysBenchmark(session, kafka);
    SpeedTable table =
        SpeedTable.of(session, "events", "Relays from PostgreSQL to Kafka", "events", 1);
    List<Contestant<OutboxRelay.Launch>> relays =
        List.of(
            OnceRelay.relay(database, kafka, 5000),
            OnceRelay.relay(database, kafka, 200),
            DebeziumRelay.relay(database, kafka),
            NamastackRelay.relay(database, kafka, session.settings().connections()));
    benchmark.compare(table, SpeedTable.Rounds.BACKLOG, "backlog", AIM, relays, false);
    String flow = "%d events a second".formatted(EVENTS_PER_SECOND);
    benchmark.compare(table, SpeedTable.Rounds.LONG, flow, SpeedTable.NO_AIM, relays, true);
    return table.table();
  }

  private void compare(
      SpeedTable table,
      SpeedTable.Rounds rounds,
      String work,
      double aim,
      List<Contestant<OutboxRelay.Launch>> relays,
      boolean isFlow)
      throws Exception {
    Map<Contestant<OutboxRelay.Launch>, EventCounts> counts = new LinkedHashMap<>();
    List<Series> all = relays.stream().map(it -> series(it, isFlow, counts)).toList();
    List<SpeedTable.Contest> contests = List.of(new SpeedTable.Contest(work, aim, all));
    table.compare(rounds, "relay, " + work, "none", () -> {}, contests);
    counts.forEach(
        (relay, found) -> {
          if (relay.name().startsWith("Once")) {
            table.add(found.finding("relay, %s, %s".formatted(work, relay.name())));
          }
        });
  }

  private Series series(
      Contestant<OutboxRelay.Launch> relay,
      boolean isFlow,
      Map<Contestant<OutboxRelay.Launch>, EventCounts> counts) {
    EventCounts own = new EventCounts();
    counts.put(relay, own);
    return new Series(relay.name(), () -> round(relay, own, isFlow))
        .noting(() -> relay.note() + "; " + own);
  }

  /** One event shows that the relay runs; then the time starts. */
  private Round round(Contestant<OutboxRelay.Launch> relay, EventCounts counts, boolean isFlow)
      throws Exception {
    String topic = kafka.newTopic();
    try (TopicReader reader = new TopicReader(kafka, topic, counts);
        OutboxRelay running = relay.work().start(topic)) {
      running.write(EventSample.newEvents(1));
      reader.await(1);
      return isFlow ? flow(running, reader) : backlog(running, reader);
    }
  }

  private Round backlog(OutboxRelay relay, TopicReader reader) throws Exception {
    int events = session.settings().jobs();
    long begin = relay.write(EventSample.newEvents(events));
    reader.await(events);
    return Round.untimed(events, System.nanoTime() - begin);
  }

  private Round flow(OutboxRelay relay, TopicReader reader) {
    List<EventData> events =
        EventSample.newEvents((int) Math.ceil(EVENTS_PER_SECOND * session.settings().seconds()));
    Map<String, Long> committed = new ConcurrentHashMap<>();
    long begin = System.nanoTime();
    CompletableFuture<Void> writing =
        CompletableFuture.runAsync(() -> write(relay, events, begin, committed));
    Map<String, Long> arrived = reader.await(events.size());
    writing.join();
    long[] waits =
        events.stream()
            .map(EventData::id)
            .filter(arrived::containsKey)
            .mapToLong(it -> time(arrived, it) - time(committed, it))
            .toArray();
    return Round.timed(List.of(waits), System.nanoTime() - begin);
  }

  private static long time(Map<String, Long> times, String id) {
    return Objects.requireNonNull(times.get(id));
  }

  private static void write(
      OutboxRelay relay, List<EventData> events, long begin, Map<String, Long> committed) {
    for (int i = 0; i < events.size(); i++) {
      LockSupport.parkNanos(begin + i * 1_000_000_000L / EVENTS_PER_SECOND - System.nanoTime());
      try {
        committed.put(events.get(i).id(), relay.write(List.of(events.get(i))));
      } catch (Exception e) {
        throw new IllegalStateException("cannot write an event", e);
      }
    }
  }
}
