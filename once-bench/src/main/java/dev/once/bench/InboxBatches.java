package dev.once.bench;

import java.util.List;
import java.util.stream.Stream;

/** Deliveries of the WhatsApp Cloud API, each of the maximum size. */
final class InboxBatches {
  private static final int ITEMS = 1000;

  /** A provider waits for the response before it sends the next delivery of this size. */
  private static final int CALLERS = 1;

  private final BenchDatabase database;
  private final OnceInbox once;
  private final Eventuate eventuate;
  private final Table table =
      new Table(
          "Deliveries of 1,000 WhatsApp messages, one after the other",
          "messages",
          "contestant",
          "commits",
          "messages/s",
          "delivery p50 ms",
          "Once ÷ it",
          "in rounds",
          "aim",
          "met");

  InboxBatches(BenchDatabase database, OnceInbox once, Eventuate eventuate) {
    this.database = database;
    this.once = once;
    this.eventuate = eventuate;
  }

  Table run(Settings settings, Progress progress) throws Exception {
    Race race = settings.race(CALLERS, progress);
    Series own = new Series("Once", () -> once.acceptWhatsApp(newIds()));
    Series each = new Series("Eventuate, a transaction each", () -> eventuate.acceptEach(newIds()));
    Series together =
        new Series("Eventuate, one transaction", () -> eventuate.acceptTogether(newIds()));
    long before = once.acceptedWhatsApp();
    long rivals = eventuate.accepted();
    race.run("inbox, new messages", List.of(own, each, together), database::settle);
    requireItems(own.calls(), once.acceptedWhatsApp() - before);
    requireItems(each.calls() + together.calls(), eventuate.accepted() - rivals);
    addRow("new", own, own, 1);
    addRow("new", each, own, ITEMS);
    addRow("new", together, own, 1);
    runKnown(race);
    return table;
  }

  /** Omits the single transaction: the first duplicate aborts it. */
  private void runKnown(Race race) throws Exception {
    List<String> known = newIds();
    once.acceptWhatsApp(known);
    eventuate.acceptEach(known);
    long before = once.acceptedWhatsApp();
    Series own = new Series("Once", () -> once.acceptWhatsApp(known));
    Series each = new Series("Eventuate, a transaction each", () -> eventuate.acceptEach(known));
    race.run("inbox, known messages", List.of(own, each), database::settle);
    requireItems(0, once.acceptedWhatsApp() - before);
    addRow("known", own, own, 0);
    addRow("known", each, own, 0);
  }

  private static List<String> newIds() {
    return Stream.generate(Sample::newKey).limit(ITEMS).toList();
  }

  private static void requireItems(long deliveries, long items) {
    if (items != ITEMS * deliveries) {
      throw new IllegalStateException(
          "%d deliveries left %d messages".formatted(deliveries, items));
    }
  }

  private void addRow(String kind, Series series, Series own, int commits) {
    double ratio = own.speedOver(series);
    boolean isRival = !series.equals(own);
    table.row(
        kind,
        series.name(),
        commits,
        ITEMS * series.callsPerSecond(),
        series.millisMedian(),
        ratio,
        own.speedsOver(series),
        Finding.when(
            isRival,
            "deliveries of 1,000 messages, " + kind,
            series.name(),
            ratio,
            Aim.atLeast(InboxSpeed.AIM)));
  }
}
