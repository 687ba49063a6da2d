package dev.once.bench;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/** One line of a comparison: a queue, what its jobs do, and the backlogs it has worked off. */
final class JobLane {
  private final JobQueue queue;
  private final JobEffect effect;
  private final List<Double> speeds = new ArrayList<>();

  JobLane(JobQueue queue, JobEffect effect) {
    this.queue = queue;
    this.effect = effect;
  }

  JobQueue queue() {
    return queue;
  }

  /** Works without keeping the measurement, so that everything is compiled and cached. */
  void warmUp(JobBacklog backlog) throws SQLException, InterruptedException {
    workOff(backlog);
  }

  void measure(JobBacklog backlog) throws SQLException, InterruptedException {
    speeds.add(workOff(backlog));
  }

  private double workOff(JobBacklog backlog) throws SQLException, InterruptedException {
    try {
      return backlog.workOff(queue, effect);
    } catch (IllegalStateException e) {
      throw new IllegalStateException(queue.name() + ": " + e.getMessage(), e);
    }
  }

  double jobsPerSecond() {
    return Median.of(speeds);
  }

  /** The least and the most of what {@link #jobsPerSecond} is the median of. */
  String spread() {
    return String.format(
        Locale.ROOT, "%,.0f to %,.0f", Collections.min(speeds), Collections.max(speeds));
  }

  /** How many jobs this lane works off while the other does one, compared round by round. */
  double speedOver(JobLane other) {
    List<Double> ratios = new ArrayList<>();
    for (int i = 0; i < speeds.size(); i++) {
      ratios.add(speeds.get(i) / other.speeds.get(i));
    }
    return Median.of(ratios);
  }
}
