package dev.once.examples.pipeline;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;

/** What the clients were told: which commands were appended, and how others were answered. */
final class Tally {
  private static final int MAX_SURPRISES = 10;

  private final Map<String, Long> appended = new ConcurrentHashMap<>();
  private final List<String> surprises = new CopyOnWriteArrayList<>();
  private final LongAdder sent = new LongAdder();
  private final LongAdder replayed = new LongAdder();
  private final LongAdder conflicts = new LongAdder();
  private final LongAdder mismatches = new LongAdder();

  void countSent() {
    sent.increment();
  }

  void countAppended(String eventId, long sequence) {
    appended.put(eventId, sequence);
  }

  void countReplayed() {
    replayed.increment();
  }

  void countConflict() {
    conflicts.increment();
  }

  void countMismatch() {
    mismatches.increment();
  }

  /** Notes an answer that breaks the rules. */
  void countSurprise(String what) {
    if (surprises.size() < MAX_SURPRISES) {
      surprises.add(what);
    }
  }

  long sent() {
    return sent.sum();
  }

  long appended() {
    return appended.size();
  }

  /** Returns the sequence of each event that a client was told of. */
  Map<String, Long> acknowledged() {
    return Map.copyOf(appended);
  }

  long replayed() {
    return replayed.sum();
  }

  long conflicts() {
    return conflicts.sum();
  }

  long mismatches() {
    return mismatches.sum();
  }

  List<String> surprises() {
    return List.copyOf(surprises);
  }
}
