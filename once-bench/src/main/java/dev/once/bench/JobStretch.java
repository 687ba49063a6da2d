package dev.once.bench;

import java.io.Closeable;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Backlogs of Once's jobs, one after the other, without clean-up in between. */
final class JobStretch implements Closeable {
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
    JobLog log = JobBacklog.enqueue(queue, jobs);
    enqueued += jobs;
    return JobBacklog.workOff(queue, log, rows);
  }

  double medianOf(int rounds) throws SQLException, InterruptedException {
    List<Double> speeds = new ArrayList<>();
    for (int i = 0; i < rounds; i++) {
      speeds.add(workOff());
    }
    return Median.of(speeds);
  }

  /** Returns the number of jobs that left no row so far. */
  long lost() throws SQLException {
    return enqueued - rows.jobs();
  }

  /** Returns the number of jobs that left more than one row. */
  long doubled() throws SQLException {
    return rows.repeated();
  }

  /** Returns the dead rows in the jobs' table, as PostgreSQL has counted them so far. */
  long deadRows() throws SQLException {
    database.execute("SELECT pg_stat_force_next_flush()");
    return database.number("SELECT pg_stat_get_dead_tuples('once_job'::regclass)");
  }

  @Override
  public void close() {
    queue.close();
  }
}
