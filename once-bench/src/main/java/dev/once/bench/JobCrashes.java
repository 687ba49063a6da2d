package dev.once.bench;

import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Kills and restarts the process that works off a backlog several times, and then counts the jobs
 * that left no row and those that left more than one.
 */
final class JobCrashes {
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private final PGSimpleDataSource source;
  private final JobQueues queues;
  private final Settings settings;
  private final Progress progress;
  private final Random random = new Random();
  private final Table table =
      new Table(
          "The worker's process is killed (SIGKILL) and started again",
          "contestant",
          "jobs",
          "kills",
          "lost",
          "aim",
          "met",
          "done twice or more",
          "aim",
          "met",
          "s until the last was done",
          "a dead worker's jobs run again");

  JobCrashes(PGSimpleDataSource source, JobQueues queues, Settings settings, Progress progress) {
    this.source = source;
    this.queues = queues;
    this.settings = settings;
    this.progress = progress;
  }

  Table run(List<JobContestant> contestants) throws Exception {
    for (JobContestant contestant : contestants) {
      progress.say("jobs, %d kills: %s".formatted(settings.kills(), queues.get(contestant).name()));
      crash(contestant);
    }
    return table;
  }

  private void crash(JobContestant contestant) throws Exception {
    JobQueue queue = queues.get(contestant);
    new JobBacklog(queues.database(), queues.rows(), settings.jobs()).fill(queue);
    for (int kill = 0; kill < settings.kills(); kill++) {
      try (JavaProcess worker = start(contestant)) {
        // Leaves jobs for the last process, too.
        awaitBegun(worker, 1 + random.nextInt(settings.jobs() / (settings.kills() + 1)));
      }
    }
    long begin = System.nanoTime();
    JavaProcess last = start(contestant);
    try (last) {
      JobBacklog.awaitFinished(queue, PATIENCE);
    }
    addRow(contestant, queue, (System.nanoTime() - begin) / 1e9);
  }

  private JavaProcess start(JobContestant contestant) throws IOException {
    return JobWorker.start(contestant, source, settings.connections());
  }

  /** Returns when {@code runs} more runs than now have begun to write. */
  private void awaitBegun(JavaProcess worker, long runs)
      throws SQLException, IOException, InterruptedException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    long wanted = queues.rows().begun() + runs;
    while (queues.rows().begun() < wanted) {
      if (!worker.isAlive() || System.nanoTime() - deadline > 0) {
        throw new IllegalStateException("the worker does not work; it says:\n" + worker.said());
      }
      Thread.sleep(1);
    }
  }

  private void addRow(JobContestant contestant, JobQueue queue, double seconds)
      throws SQLException {
    long lost = settings.jobs() - queues.rows().jobs();
    long repeated = queues.rows().repeated();
    // An effect outside the database is promised at least once, with its key and fence.
    boolean atMostOnce =
        contestant == JobContestant.ONCE_TOGETHER || contestant == JobContestant.ONCE_TRANSACTIONAL;
    boolean isOnce = !contestant.isRival();
    table.row(
        queue.name(),
        settings.jobs(),
        settings.kills(),
        lost,
        Finding.when(
            isOnce, queue.name() + ", jobs lost by kills", "none", (double) lost, Aim.atMost(0)),
        repeated,
        Finding.when(
            atMostOnce,
            queue.name() + ", jobs done twice by kills",
            "none",
            (double) repeated,
            Aim.atMost(0)),
        seconds,
        queue.takeOver());
  }
}
