package dev.once.bench;

import java.io.Closeable;
import java.sql.SQLException;
import java.util.List;

/**
 * A job queue on PostgreSQL. Thread-safe, except that workers are started and closed by one thread.
 */
abstract class JobQueue implements AutoCloseable {
  interface Effect {
    void perform(long job, Lender lender) throws SQLException;
  }

  /** Lends a connection for writing: the one that also completes the job, or one from the pool. */
  interface Lender {
    void lend(BenchDatabase.Writing writing) throws SQLException;
  }

  final BenchDatabase database;
  final int threads;
  private final String unfinished;
  private final String tables;

  /**
   * @param unfinished the FROM clause of the jobs that wait or run
   * @param tables the tables of all jobs, including those that are done
   */
  JobQueue(BenchDatabase database, int threads, String unfinished, String tables) {
    this.database = database;
    this.threads = threads;
    this.unfinished = unfinished;
    this.tables = tables;
  }

  /** Adds jobs that are due immediately, in the fastest way; returns after their commit. */
  abstract void enqueue(List<Long> jobs);

  /** Commits a write and then enqueues what follows from it: together, if the product can. */
  void enqueueWith(BenchDatabase.Writing write, List<Long> jobs) throws SQLException {
    database.inTransaction(write);
    enqueue(jobs);
  }

  /**
   * Starts workers, which perform {@code effect} for each job until they are closed. Then they
   * finish the running jobs and claim no new ones.
   */
  abstract Closeable start(Effect effect);

  final long unfinished() {
    return database.number("SELECT count(*) FROM " + unfinished);
  }

  /** Deletes all jobs, including those that are done. */
  final void clear() {
    database.execute("TRUNCATE " + tables);
  }

  /** Ends its threads; the caller closes the database. */
  @Override
  public void close() {}
}
