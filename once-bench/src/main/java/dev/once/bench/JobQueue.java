package dev.once.bench;

import java.sql.SQLException;
import java.util.List;

/**
 * A job queue on PostgreSQL. Every contestant uses the same pool and the same number of threads,
 * has its tables as its authors recommend, and is otherwise tuned for speed. Thread-safe, except
 * that workers are started and closed by one thread.
 */
interface JobQueue extends AutoCloseable {
  /** The effect of a job. Thread-safe. */
  @FunctionalInterface
  interface Effect {
    void perform(long job, Lender lender) throws SQLException;
  }

  /** Lends a connection for writing: the one that also completes the job, or one from the pool. */
  @FunctionalInterface
  interface Lender {
    void lend(BenchDatabase.Writing writing) throws SQLException;
  }

  /** The running workers of a queue. */
  @FunctionalInterface
  interface Workers extends AutoCloseable {
    /** Finishes the running jobs and claims no new ones. */
    @Override
    void close();
  }

  String name();

  /** Describes when the jobs of a dead worker run again, and the settings for that. */
  String takeOver();

  /** Adds jobs that are due immediately, in the fastest way; returns after their commit. */
  void enqueue(List<Long> jobs);

  /** Starts workers, which perform {@code effect} for each job. */
  Workers start(Effect effect);

  /** Returns the number of jobs that wait or run. */
  long unfinished() throws SQLException;

  /** Deletes all jobs, including those that are done. */
  void clear();

  /** Ends its threads; the caller closes the database. */
  @Override
  void close();
}
