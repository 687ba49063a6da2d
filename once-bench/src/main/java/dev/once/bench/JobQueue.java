package dev.once.bench;

import java.sql.SQLException;
import java.util.List;

/**
 * A job queue on PostgreSQL. Every contestant uses the same pool and the same number of threads,
 * has its tables as its makers recommend, and is otherwise set to be as fast as it can.
 * Thread-safe, except that workers are started and closed by one thread.
 */
interface JobQueue extends AutoCloseable {
  String name();

  /** How soon the jobs of a worker that died run again, and how it was told to be that quick. */
  String takeOver();

  /** Adds jobs that are due at once, by the fastest way there is; returns after their commit. */
  void enqueue(List<Long> jobs);

  /** Starts workers, which let {@code effect} happen for each job. */
  JobWorkers start(JobEffect effect);

  /** How many jobs wait or run. */
  long unfinished() throws SQLException;

  /** Forgets all jobs, those that are done included. */
  void clear();

  /** Ends its threads; the database is somebody else's. */
  @Override
  void close();
}
