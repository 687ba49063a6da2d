package dev.once.bench;

import java.io.Closeable;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Backlogs of Once's jobs, one after the other, with nothing cleaned up in between. */
final class JobStretch implements Closeable {
  private static final int ENQUEUED_AT_ONCE = 1_000;
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private final BenchDatabase database;
  private final OnceJobQueue queue;
  private final JobRows rows;
  private final int jobs;
  private long enqueued;

  JobStretch(BenchDatabase database, Settings settings) {
    this.database = database;
    this.queue = new OnceJobQueue(database, settings.connections(), OnceJobQueue.Mode.TOGETHER);
    this.rows = new JobRows(database);
    this.jobs = settings.jobs();
    rows.create();
  }

  BenchDatabase database() {
    return database;
  }

  /** Returns jobs per second, from the start of the first one until the last one is done. */
  double workOff() throws SQLException, InterruptedException {
    JobLog log = new JobLog(jobs);
    for (int from = 0; from < jobs; from += ENQUEUED_AT_ONCE) {
      queue.enqueue(log.jobs(from, Math.min(jobs, from + ENQUEUED_AT_ONCE)));
    }
    enqueued += jobs;
    long end;
    JobWorkers workers = queue.start(log.around(rows));
    try (workers) {
      log.awaitAll(PATIENCE);
      JobBacklog.awaitFinished(queue, PATIENCE);
      end = System.nanoTime();
    }
    return jobs / ((end - log.firstStart()) / 1e9);
  }

  double medianOf(int rounds) throws SQLException, InterruptedException {
    List<Double> speeds = new ArrayList<>();
    for (int i = 0; i < rounds; i++) {
      speeds.add(workOff());
    }
    return Median.of(speeds);
  }

  /** Jobs that left no row so far. */
  long lost() throws SQLException {
    return enqueued - rows.jobs();
  }

  /** Jobs that left more than one. */
  long doubled() throws SQLException {
    return rows.repeated();
  }

  /** What is left of jobs in their table, as PostgreSQL has counted it so far. */
  long deadRows() throws SQLException {
    database.execute("SELECT pg_stat_force_next_flush()");
    return database.number("SELECT pg_stat_get_dead_tuples('once_job'::regclass)");
  }

  @Override
  public void close() {
    queue.close();
  }
}
