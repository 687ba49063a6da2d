package dev.once.jobs;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * How many jobs there are. Counting stops at {@link #MAX_COUNT}, so that asking costs the same
 * however many there are: ready jobs are counted up to that in each queue, jobs of the other states
 * in all queues together. A state of which there is more is named in {@code cut}.
 *
 * @param queues every queue that has a job, in the order of their names
 * @param cut the states of which there are at least as many as counted
 */
public record JobCensus(List<Line> queues, Set<JobState> cut) {
  public static final int MAX_COUNT = 100_000;

  /** The age of the oldest ready job is exact in a queue that has no more ready jobs than this. */
  public static final int MAX_AGES = 1000;

  public JobCensus {
    queues = List.copyOf(queues);
    cut = Set.copyOf(cut);
  }

  /**
   * How many jobs a queue has.
   *
   * @param oldestReady how long ago the time of the oldest ready job came, by the database's clock;
   *     at least that long if the queue has more than {@link #MAX_AGES}
   */
  public record Line(
      String queue,
      long ready,
      long waiting,
      long blocked,
      long running,
      long dead,
      Optional<Duration> oldestReady) {}

  /** A queue that has no jobs has zero of each. */
  public Line queue(String name) {
    return queues.stream()
        .filter(it -> it.queue().equals(name))
        .findFirst()
        .orElse(new Line(name, 0, 0, 0, 0, 0, Optional.empty()));
  }
}
