package dev.once.bench;

import java.util.concurrent.atomic.LongAdder;

/** What went wrong with the events of a contestant, in all its rounds. Thread-safe. */
final class EventCounts {
  private final LongAdder lost = new LongAdder();
  private final LongAdder duplicates = new LongAdder();
  private final LongAdder disordered = new LongAdder();

  void addLost(long events) {
    lost.add(events);
  }

  void addDuplicates(long events) {
    duplicates.add(events);
  }

  /** Adds events that came after a later one of their aggregate. */
  void addDisordered(long events) {
    disordered.add(events);
  }

  /** Returns that none of them is expected. */
  Finding finding(String work) {
    return Finding.none(
        "events: %s, lost + duplicates + out of order".formatted(work),
        lost.sum() + duplicates.sum() + disordered.sum());
  }

  @Override
  public String toString() {
    return "lost %,d, duplicates %,d, out of order %,d"
        .formatted(lost.sum(), duplicates.sum(), disordered.sum());
  }
}
