package dev.once.console;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** What happened, in the order of time, and what was not searched. */
final class TimelineEntries {
  private static final int MAX_ENTRIES = 500;

  private final List<Entry> entries = new ArrayList<>();
  private final List<String> limits = new ArrayList<>();

  private record Entry(Instant at, Json json) {}

  /**
   * Adds an entry.
   *
   * @param module where it happened, in words
   * @param kind the view that shows it: record, job, run, step or event
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

  /** Says what was not searched. */
  void limit(String what) {
    limits.add(what);
  }

  Json json() {
    entries.sort(Comparator.comparing(Entry::at));
    if (entries.size() > MAX_ENTRIES) {
      limit("only the first %d entries are shown".formatted(MAX_ENTRIES));
    }
    return new Json()
        .putAll("entries", entries.subList(0, Math.min(MAX_ENTRIES, entries.size())), Entry::json)
        .putTexts("limits", limits);
  }
}
