package dev.once.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;

/** Compares Once's inbox for webhooks with Eventuate Tram's duplicate detector. */
record InboxBenchmark(Session session, BenchDatabase database) {
  /** The aim against contestants that detect duplicates, too. */
  private static final double AIM = 2;

  private static final int KNOWN_DELIVERIES = 300;

  /** The most messages that a delivery of the WhatsApp Cloud API has. */
  private static final int MESSAGES = 1000;

  /**
   * A way to accept webhooks: durable when the call returns, and recognized when they are delivered
   * again. Thread-safe.
   *
   * @param note what is durable when a delivery has been accepted
   * @param accept accepts a delivery by its id, whether it is new or not
   * @param accepted counts the new deliveries in the table
   */
  record Contestant(String name, String note, Acceptance accept, Callable<Long> accepted) {}

  /** Accepts the delivery {@code id}. */
  @FunctionalInterface
  interface Acceptance {
    void accept(String id) throws Exception;
  }

  static Report run(Session session) throws Exception {
    try (BenchDatabase database = session.database("inbox");
        OnceInbox once = new OnceInbox(database)) {
      Eventuate eventuate = new Eventuate(database);
      eventuate.createTables();
      InboxBenchmark benchmark = new InboxBenchmark(session, database);
      return new Report(
          session.describe(),
          List.of(
              benchmark.events(
                  List.of(
                      once.standard(), once.custom(), eventuate.withPayload(), eventuate.bare())),
              benchmark.batches(once, eventuate)));
    }
  }

  /** Deliveries of one event each. */
  private Table events(List<Contestant> contestants) throws Exception {
    Table table =
        new Table(
                "Deliveries of one event",
                "deliveries | callers | contestant | accepts/s | p50 ms | p99 ms | Once ÷ it"
                    + " | in rounds | aim | met | what is safe then")
            .charted("accepts/s", "contestant", "deliveries", "callers");
    List<String> known = Sample.newKeys(KNOWN_DELIVERIES);
    for (Contestant contestant : contestants) {
      for (String id : known) {
        contestant.accept.accept(id);
      }
    }
    for (int callers : session.callersUpTo(Part.MAX_CALLERS)) {
      compare(table, "new", callers, contestants, Sample::newKey);
      compare(table, "known", callers, contestants, () -> Sample.anyOf(known));
    }
    return table;
  }

  private void compare(
      Table table, String kind, int callers, List<Contestant> contestants, Supplier<String> ids)
      throws Exception {
    int perCall = kind.equals("new") ? 1 : 0;
    List<Series> all = new ArrayList<>();
    for (Contestant it : contestants) {
      all.add(
          session
              .series(it.name, callers, () -> it.accept.accept(ids.get()))
              .counting(it.accepted, perCall));
    }
    session.compare("inbox, " + kind, callers, all, database::settle);
    for (int i = 0; i < all.size(); i++) {
      Series series = all.get(i);
      Series once = all.get(0);
      table.row(
          kind,
          callers,
          series.name(),
          series.speed(),
          once.ratioTo(series),
          once.atLeast(AIM, "webhooks, %s, callers: %d".formatted(kind, callers), series),
          contestants.get(i).note);
    }
  }

  /** Deliveries of the WhatsApp Cloud API, each of the maximum size. */
  private Table batches(OnceInbox once, Eventuate eventuate) throws Exception {
    Table table =
        new Table(
            "Deliveries of 1,000 WhatsApp messages, one after the other",
            "messages | contestant | commits | messages/s | delivery p50 ms | Once ÷ it | in rounds"
                + " | aim | met");
    Series own =
        batches("Once", () -> once.acceptWhatsApp(newIds()))
            .counting(once::acceptedWhatsApp, MESSAGES);
    Series each =
        batches("Eventuate, a transaction each", () -> eventuate.acceptEach(newIds()))
            .counting(() -> eventuate.accepted(Eventuate.EACH), MESSAGES);
    Series together =
        batches("Eventuate, one transaction", () -> eventuate.acceptTogether(newIds()))
            .counting(() -> eventuate.accepted(Eventuate.TOGETHER), MESSAGES);
    session.compare("inbox, new messages", 1, List.of(own, each, together), database::settle);
    addRow(table, "new", own, own, 1);
    addRow(table, "new", each, own, MESSAGES);
    addRow(table, "new", together, own, 1);
    addKnown(table, once, eventuate);
    return table;
  }

  /** Omits the single transaction: the first duplicate aborts it. */
  private void addKnown(Table table, OnceInbox once, Eventuate eventuate) throws Exception {
    List<String> known = newIds();
    once.acceptWhatsApp(known);
    eventuate.acceptEach(known);
    Series own =
        batches("Once", () -> once.acceptWhatsApp(known)).counting(once::acceptedWhatsApp, 0);
    Series each = batches("Eventuate, a transaction each", () -> eventuate.acceptEach(known));
    session.compare("inbox, known messages", 1, List.of(own, each), database::settle);
    addRow(table, "known", own, own, 0);
    addRow(table, "known", each, own, 0);
  }

  /** A provider waits for the response before it sends the next delivery of this size. */
  private Series batches(String name, Session.Work work) {
    return session.series(name, 1, work);
  }

  private static List<String> newIds() {
    return Sample.newKeys(MESSAGES);
  }

  private static void addRow(Table table, String kind, Series series, Series own, int commits) {
    table.row(
        kind,
        series.name(),
        commits,
        MESSAGES * series.callsPerSecond(),
        series.p50Millis(),
        own.ratioTo(series),
        own.atLeast(AIM, "deliveries of 1,000 messages, " + kind, series));
  }
}
