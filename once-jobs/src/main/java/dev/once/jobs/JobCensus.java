package dev.once.jobs;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The number of jobs. Counting stops at {@link #MAX_COUNT}, so that the cost is bounded: ready jobs
 * are counted up to that limit in each queue, jobs of each other state in all queues together. A
 * state that reached the limit is named in {@code cut}.
 *
 * @param queues every queue that has a job, in the order of their names
 * @param cut the states of which there are at least as many jobs as counted
 */
public record JobCensus(List<QueueCounts> queues, Set<JobState> cut) {
  public static final int MAX_COUNT = 100_000;

  /** The age of the oldest ready job is exact in a queue that has at most this many ready jobs. */
  public static final int MAX_AGES = 1000;

  public JobCensus {
    queues = List.copyOf(queues);
    cut = Set.copyOf(cut);
  }

  /**
   * The number of jobs of one queue.
   *
   * @param oldestReady how long the oldest ready job has been due, by the database's clock; at
   *     least that long if the queue has more than {@link #MAX_AGES}
   */
  public record QueueCounts(
      String queue,
      long ready,
      long waiting,
      long blocked,
      long running,
      long dead,
      Optional<Duration> oldestReady) {}

  /** Returns the numbers of a queue; all are zero if it has no jobs. */
  public QueueCounts queue(String name) {
    return queues.stream()
        .filter(it -> it.queue().equals(name))
        .findFirst()
        .orElse(new QueueCounts(name, 0, 0, 0, 0, 0, Optional.empty()));
  }
}
