package dev.once.bench;

import dev.once.bench.SpeedTable.Contest;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Compares Once's inbox for webhooks with Eventuate Tram's duplicate detector. */
record InboxBenchmark(Session session, BenchDatabase database) {
  /** The aim against contestants that detect duplicates, too. */
  private static final double AIM = 2;

  private static final int KNOWN_DELIVERIES = 300;

  /** The most messages that a delivery of the WhatsApp Cloud API has. */
  private static final int MESSAGES = 1000;

  /**
   * Accepts webhooks: durable when the call returns, and recognized when they are delivered again.
   *
   * @param acceptance accepts a delivery of messages with these ids, new or not
   * @param accepted counts the new messages in the table
   */
  record WebhookReceiver(Session.Action<List<String>> acceptance, Callable<Long> accepted) {
    void accept(List<String> ids) throws Exception {
      acceptance.perform(ids);
    }
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
              benchmark.batches(List.of(once.whatsApp(), eventuate.each(), eventuate.together()))));
    }
  }

  private Table events(List<Contestant<WebhookReceiver>> contestants) throws Exception {
    SpeedTable table = SpeedTable.of(session, "inbox", "Deliveries of one event", "accepts", 1);
    List<List<String>> known =
        Stream.generate(() -> Sample.newKeys(1)).limit(KNOWN_DELIVERIES).toList();
    accept(contestants, known);
    for (int callers : session.callersUpTo(Part.MAX_CALLERS)) {
      compare(table, "new deliveries", callers, contestants, () -> Sample.newKeys(1), 1);
      compare(table, "known deliveries", callers, contestants, () -> Sample.anyOf(known), 0);
    }
    return table.table();
  }

  /**
   * Deliveries of the WhatsApp Cloud API, each of the maximum size. A provider waits for the
   * response before it sends the next one.
   */
  private Table batches(List<Contestant<WebhookReceiver>> contestants) throws Exception {
    SpeedTable table =
        SpeedTable.of(
            session,
            "inbox, WhatsApp",
            "Deliveries of 1,000 WhatsApp messages, one after the other",
            "messages",
            MESSAGES);
    compare(table, "new messages", 1, contestants, () -> Sample.newKeys(MESSAGES), MESSAGES);
    // The single transaction, which is the last one, is omitted: the first duplicate aborts it.
    List<Contestant<WebhookReceiver>> others = contestants.subList(0, contestants.size() - 1);
    List<String> known = Sample.newKeys(MESSAGES);
    accept(others, List.of(known));
    compare(table, "known messages", 1, others, () -> known, 0);
    return table.table();
  }

  private static void accept(
      List<Contestant<WebhookReceiver>> contestants, List<List<String>> deliveries)
      throws Exception {
    for (Contestant<WebhookReceiver> contestant : contestants) {
      for (List<String> ids : deliveries) {
        contestant.work().accept(ids);
      }
    }
  }

  /**
   * @param perCall the number of new messages in a delivery
   */
  private void compare(
      SpeedTable table,
      String work,
      int callers,
      List<Contestant<WebhookReceiver>> contestants,
      Supplier<List<String>> ids,
      long perCall)
      throws Exception {
    List<Series> all =
        contestants.stream()
            .map(
                it ->
                    session
                        .series(it, callers, List.of(), () -> it.work().accept(ids.get()))
                        .counting(it.work().accepted(), perCall))
            .toList();
    table.compare(callers, database::settle, new Contest(work, AIM, all));
  }
}
