package dev.once.bench;

import java.util.Locale;

/** The job queues that take part, by names that a worker in a process of its own understands. */
enum JobContestant {
  DB_SCHEDULER,
  JOBRUNR,
  /** JobRunr fetches for workers that are free, so that more of them mean larger batches. */
  JOBRUNR_MANY;

  /** Found by trying: more threads or other limits were not faster, see docs/benchmarks.md. */
  private static final double DB_SCHEDULER_LOWER = 8;

  private static final double DB_SCHEDULER_UPPER = 60;
  private static final int MANY = 4;

  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  static JobContestant of(String label) {
    return valueOf(label.toUpperCase(Locale.ROOT));
  }

  JobQueue over(BenchDatabase database, int threads) {
    return switch (this) {
      case DB_SCHEDULER ->
          new DbSchedulerQueue(database, threads, DB_SCHEDULER_LOWER, DB_SCHEDULER_UPPER);
      case JOBRUNR -> new JobRunrQueue(database, threads);
      case JOBRUNR_MANY -> new JobRunrQueue(database, MANY * threads);
    };
  }
}
