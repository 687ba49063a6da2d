package dev.once.console;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** What happened, in the order of time, and how much was searched to find it. */
final class TimelineEntries {
  private final List<Entry> entries = new ArrayList<>();
  private long searched;

  private record Entry(Instant at, Json json) {}

  /**
   * Adds an entry.
   *
   * @param module where it happened, in words
   * @param kind the view that shows it: record, job, run, step or event; finished if there is none
   * @param link what that view needs
   */
  void add(Instant at, String module, String kind, String what, String state, Json link) {
    entries.add(
        new Entry(
            at,
            link.put("at", at)
                .put("module", module)
                .put("kind", kind)
                .put("what", what)
                .put("state", state)));
  }

  /** Counts rows that were read. */
  void searched(int rows) {
    searched += rows;
  }

  int size() {
    return entries.size();
  }

  Json json() {
    entries.sort(Comparator.comparing(Entry::at));
    return new Json().putAll("entries", entries, Entry::json).putText("searched", searched);
  }
}
