package dev.once.bench;

import dev.once.bench.SpeedTable.Contest;
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
              benchmark.events(List.of(once.standard(), eventuate.withPayload(), eventuate.bare())),
              benchmark.batches(once, eventuate)));
    }
  }

  /** Deliveries of one event each. */
  private Table events(List<Contestant> contestants) throws Exception {
    SpeedTable table = SpeedTable.of(session, "inbox", "Deliveries of one event", "accepts", 1);
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
    return table.table();
  }

  private void compare(
      SpeedTable table,
      String kind,
      int callers,
      List<Contestant> contestants,
      Supplier<String> ids)
      throws Exception {
    int perCall = kind.equals("new") ? 1 : 0;
    List<Series> all =
        contestants.stream()
            .map(
                it ->
                    session
                        .series(it.name, callers, () -> it.accept.accept(ids.get()))
                        .counting(it.accepted, perCall)
                        .noting(it.note))
            .toList();
    table.compare(callers, database::settle, new Contest(kind + " deliveries", AIM, all));
  }

  /**
   * Deliveries of the WhatsApp Cloud API, each of the maximum size. A provider waits for the
   * response before it sends the next one.
   */
  private Table batches(OnceInbox once, Eventuate eventuate) throws Exception {
    SpeedTable table =
        SpeedTable.of(
            session,
            "inbox, WhatsApp",
            "Deliveries of 1,000 WhatsApp messages, one after the other",
            "messages",
            MESSAGES);
    List<String> known = newIds();
    once.acceptWhatsApp(known);
    eventuate.acceptEach(known);
    Callable<Long> each = () -> eventuate.accepted(Eventuate.EACH);
    Callable<Long> together = () -> eventuate.accepted(Eventuate.TOGETHER);
    table.compare(
        1,
        database::settle,
        new Contest(
            "new messages",
            AIM,
            batches("Once", () -> once.acceptWhatsApp(newIds()))
                .counting(once::acceptedWhatsApp, MESSAGES)
                .noting("1 commit"),
            batches("Eventuate, a transaction each", () -> eventuate.acceptEach(newIds()))
                .counting(each, MESSAGES)
                .noting("1,000 commits"),
            batches("Eventuate, one transaction", () -> eventuate.acceptTogether(newIds()))
                .counting(together, MESSAGES)
                .noting("1 commit")));
    // The single transaction is omitted: the first duplicate aborts it.
    table.compare(
        1,
        database::settle,
        new Contest(
            "known messages",
            AIM,
            batches("Once", () -> once.acceptWhatsApp(known)).counting(once::acceptedWhatsApp, 0),
            batches("Eventuate, a transaction each", () -> eventuate.acceptEach(known))
                .counting(each, 0)));
    return table.table();
  }

  private Series batches(String name, Session.Work work) {
    return session.series(name, 1, work);
  }

  private static List<String> newIds() {
    return Sample.newKeys(MESSAGES);
  }
}
