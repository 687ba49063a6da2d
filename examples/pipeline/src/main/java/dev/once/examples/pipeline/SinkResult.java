package dev.once.examples.pipeline;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * What a worker did to its sink, by the sink's own account.
 *
 * @param changes the writes that the sink accepted
 * @param duplicates writes of an event that had been written, or that the log does not have
 * @param lost events that were never written
 * @param isEqual whether the sink has the state that the log makes
 * @param objects the number of documents or nodes
 */
record SinkResult(
    Role worker,
    String sink,
    long changes,
    long duplicates,
    long lost,
    boolean isEqual,
    long objects) {

  /** The change that an event makes: an object gets a sequence. */
  record Change(String object, long sequence) {}

  /** Compares the journal of a sink with the changes that the events of the log make. */
  static SinkResult of(
      Role worker,
      String sink,
      Collection<Change> expected,
      Collection<Change> journal,
      boolean isEqual,
      long objects) {
    Map<Change, Integer> left = new HashMap<>();
    expected.forEach(it -> left.merge(it, 1, Integer::sum));
    long duplicates = 0;
    for (Change change : journal) {
      int open = left.getOrDefault(change, 0);
      duplicates += open == 0 ? 1 : 0;
      left.put(change, Math.max(0, open - 1));
    }
    long lost = left.values().stream().mapToInt(Integer::intValue).sum();
    return new SinkResult(worker, sink, journal.size(), duplicates, lost, isEqual, objects);
  }

  boolean isRight() {
    return duplicates == 0 && lost == 0 && isEqual;
  }
}
