package dev.once.examples.pipeline;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * The result of a run.
 *
 * @param missing commands that a client was told are appended, and that the log does not have so
 * @param givenUp events that a worker skipped or sent to a dead-letter topic
 * @param kills how often each part was killed
 */
record Outcome(
    Tally tally,
    long events,
    long missing,
    long givenUp,
    List<SinkResult> sinks,
    Map<String, Integer> kills,
    double seconds) {

  /** Returns whether every command is in the log once, and every event took effect once. */
  boolean isRight() {
    return tally.surprises().isEmpty()
        && events == tally.appended()
        && missing == 0
        && givenUp == 0
        && sinks.stream().allMatch(SinkResult::isRight);
  }

  String text() {
    StringBuilder table = new StringBuilder("\n");
    row(table, "requests", tally.sent());
    row(table, "  appended", tally.appended());
    row(table, "  retries that got the first answer", tally.replayed());
    row(table, "  refused: another sequence expected", tally.conflicts());
    row(table, "  refused: id used for another payload", tally.mismatches());
    row(table, "  wrong answers", tally.surprises().size());
    tally.surprises().forEach(it -> table.append("    ").append(it).append('\n'));
    row(table, "events in the log", events);
    row(table, "  acknowledged and not there", missing);
    row(table, "events skipped or dead", givenUp);
    row(table, "parts killed", kills.values().stream().mapToInt(Integer::intValue).sum());
    new TreeMap<>(kills).forEach((part, count) -> row(table, "  " + part, count));
    table.append(String.format(Locale.ROOT, "%-40s %8.1f%n%n", "seconds", seconds));
    sinks(table);
    table.append(
        isRight() ? "\nevery event took effect once" : "\nNOT every event took effect once");
    return table.toString();
  }

  private void sinks(StringBuilder table) {
    String format = "%-32s %8s %10s %5s   %s%n";
    table.append(
        String.format(format, "side effects", "changes", "duplicates", "lost", "equal to the log"));
    for (SinkResult sink : sinks) {
      table.append(
          String.format(
              format,
              sink.worker().text() + ", " + sink.sink(),
              sink.changes(),
              sink.duplicates(),
              sink.lost(),
              (sink.isEqual() ? "yes" : "NO") + ", " + sink.objects() + " objects"));
    }
  }

  private static void row(StringBuilder table, String what, long count) {
    table.append(String.format(Locale.ROOT, "%-40s %6d%n", what, count));
  }
}
