package dev.once.bench;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/** One row of a comparison: a queue, the effect of its jobs, and the backlogs it has worked off. */
final class JobSeries {
  private final JobQueue queue;
  private final JobEffect effect;
  private final List<Double> speeds = new ArrayList<>();

  JobSeries(JobQueue queue, JobEffect effect) {
    this.queue = queue;
    this.effect = effect;
  }

  JobQueue queue() {
    return queue;
  }

  /** Works off a backlog without recording it, so that code is compiled and caches are filled. */
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

  /** Returns the range of the values of which {@link #jobsPerSecond} is the median. */
  String spread() {
    return String.format(
        Locale.ROOT, "%,.0f to %,.0f", Collections.min(speeds), Collections.max(speeds));
  }

  /** Returns the ratio of the speeds, the median of the ratios round by round. */
  double speedOver(JobSeries other) {
    List<Double> ratios = new ArrayList<>();
    for (int i = 0; i < speeds.size(); i++) {
      ratios.add(speeds.get(i) / other.speeds.get(i));
    }
    return Median.of(ratios);
  }
}
