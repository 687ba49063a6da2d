package dev.once.bench;

import java.io.Closeable;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/**
 * Runs of a hundred recorded steps, left by a process that ended, are resumed by another one:
 * measured from the first call of their code until the table shows the last one as ended.
 */
record ResumeBenchmark(Session session, BenchDatabase database, int runs) {
  static final int STEPS = 100;

  /** How many jobs of a backlog there are for each run to resume. */
  private static final int JOBS_PER_RUN = 100;

  private static final double AIM = 5;
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /** Runs that were interrupted after {@link #STEPS} steps. */
  interface InterruptedRuns {
    /** Leaves {@code count} of them, without a process. */
    void leave(int count) throws Exception;

    /**
     * Starts a process that resumes them.
     *
     * @param called is told of each call of their code
     */
    Closeable resume(Runnable called);

    long unfinished();

    /** Returns how many effects of steps have happened. */
    long effects();
  }

  /**
   * @param pool for DBOS, which reserves a connection
   */
  static Table run(Session session, BenchDatabase database, BenchDatabase pool) throws Exception {
    int runs = Math.max(1, session.settings().jobs() / JOBS_PER_RUN);
    SpeedTable table =
        SpeedTable.of(session, "steps, resume", "Runs of 100 steps are resumed", "runs", 1);
    ResumeBenchmark benchmark = new ResumeBenchmark(session, database, runs);
    List<Series> series =
        Stream.of(
                new Contestant<InterruptedRuns>(
                    "Once, workflow",
                    "1 statement reads the history of a run",
                    new OnceInterruptedRuns(database)),
                new Contestant<InterruptedRuns>(
                    "DBOS, runStep", "1 statement for each step", new DbosInterruptedRuns(pool)))
            .map(benchmark::series)
            .toList();
    table.compare(
        SpeedTable.Rounds.BACKLOG,
        "%d runs".formatted(runs),
        Integer.toString(runs),
        database::settle,
        List.of(new SpeedTable.Contest("100 steps are done, 1 call is left", AIM, series)));
    return table.table();
  }

  private Series series(Contestant<InterruptedRuns> it) {
    return new Series(it.name(), () -> round(it.work()), database.clocks()).noting(it.note());
  }

  private Round round(InterruptedRuns interrupted) throws Exception {
    interrupted.leave(runs);
    long effects = interrupted.effects();
    AtomicLong begin = new AtomicLong();
    Round round;
    Closeable process =
        interrupted.resume(
            () -> {
              if (begin.get() == 0) {
                begin.compareAndSet(0, System.nanoTime());
              }
            });
    try (process) {
      awaitEnd(interrupted);
      round = Round.untimed(runs, System.nanoTime() - begin.get());
    }
    if (interrupted.effects() != effects) {
      throw new IllegalStateException("steps that were done were repeated");
    }
    return round;
  }

  static void awaitEnd(InterruptedRuns interrupted) throws InterruptedException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (interrupted.unfinished() > 0) {
      if (System.nanoTime() - deadline > 0) {
        throw new IllegalStateException(
            "%d runs are unfinished after %s".formatted(interrupted.unfinished(), PATIENCE));
      }
      Thread.sleep(1);
    }
  }
}
