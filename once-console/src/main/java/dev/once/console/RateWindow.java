package dev.once.console;

import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** Counts of the last ten minutes, in slots of ten seconds. Thread-safe. */
final class RateWindow {
  static final int SLOTS = 60;
  static final Duration SLOT = Duration.ofSeconds(10);

  /** What is counted. */
  enum Kind {
    /** An effect began. */
    NEW,
    /** A request was answered from the record. */
    REPLAY,
    /** A request met another one that was running. */
    IN_FLIGHT,
    /** A key was used for a different request. */
    MISMATCH,
    /** An effect did not come to an outcome, or the outcome cannot be told. */
    ERROR;

    String word() {
      return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
  }

  private final Map<Kind, long[]> counts = emptySeries();
  private long newest;

  synchronized void add(Kind kind, Instant now) {
    advance(slot(now));
    of(counts, kind)[Math.floorMod(newest, SLOTS)]++;
  }

  synchronized void addTo(Counts sum) {
    advance(sum.newest);
    for (Kind kind : Kind.values()) {
      for (int age = 0; age < SLOTS; age++) {
        long count = of(counts, kind)[Math.floorMod(newest - age, SLOTS)];
        sum.of(kind)[SLOTS - 1 - age] += count;
      }
    }
  }

  /** Empties the slots that have begun since. A clock that goes back adds to the newest. */
  private void advance(long slot) {
    long first = Math.max(newest + 1, slot - SLOTS + 1);
    for (long it = first; it <= slot; it++) {
      for (long[] kind : counts.values()) {
        kind[Math.floorMod(it, SLOTS)] = 0;
      }
    }
    newest = Math.max(newest, slot);
  }

  private static Map<Kind, long[]> emptySeries() {
    Map<Kind, long[]> series = new EnumMap<>(Kind.class);
    for (Kind it : Kind.values()) {
      series.put(it, new long[SLOTS]);
    }
    return series;
  }

  private static long[] of(Map<Kind, long[]> series, Kind kind) {
    return Objects.requireNonNull(series.get(kind));
  }

  private static long slot(Instant now) {
    return now.getEpochSecond() / SLOT.toSeconds();
  }

  /** The sum of several windows, the oldest slot first. */
  static final class Counts {
    private final long newest;
    private final Map<Kind, long[]> series = emptySeries();

    Counts(Instant now) {
      this.newest = slot(now);
    }

    long[] of(Kind kind) {
      return RateWindow.of(series, kind);
    }

    /** Returns the sum of the newest slots. */
    long last(Kind kind, int slots) {
      long sum = 0;
      for (int i = SLOTS - slots; i < SLOTS; i++) {
        sum += of(kind)[i];
      }
      return sum;
    }

    Instant endsAt() {
      return Instant.ofEpochSecond((newest + 1) * SLOT.toSeconds());
    }
  }
}
