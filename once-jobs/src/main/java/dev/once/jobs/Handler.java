package dev.once.jobs;

import dev.once.Once;
import dev.once.Reconciler;
import dev.once.Recovery;
import dev.once.Terms;
import dev.once.spi.Limits;
import java.sql.Connection;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What is done for jobs of one type, and how it is made sure that it is done once. */
public sealed interface Handler {
  /** Runs work that a database transaction undoes if it fails. */
  @FunctionalInterface
  interface TransactionalWork {
    void run(JobRun run, Connection connection) throws Exception;
  }

  /** Runs work that reaches beyond the database. */
  @FunctionalInterface
  interface LeasedWork {
    void run(JobRun run) throws Exception;
  }

  /** Those of leased jobs unless set: a job may run for a day. */
  Terms TERMS = Terms.DEFAULT.withMaxRunTime(Duration.ofDays(1));

  RetryPolicy retries();

  Handler withRetries(RetryPolicy retries);

  /**
   * What {@code work} writes through its connection and the completion of its job are one
   * transaction: its effect happens exactly once, whoever crashes, pauses or is cut off.
   */
  static Transactional transactional(TransactionalWork work) {
    return new Transactional(work, RetryPolicy.DEFAULT, 1);
  }

  /**
   * Runs {@code work} under a lease, and through {@code once}, which remembers under the job's key
   * that it was done: a duplicate of the job is acknowledged without running.
   */
  static Leased leased(Once once, LeasedWork work) {
    return new Leased(work, RetryPolicy.DEFAULT, once, TERMS, Optional.empty());
  }

  /**
   * A handler whose effect and completion are one transaction.
   *
   * @param batchSize how many jobs may share a transaction
   */
  record Transactional(TransactionalWork work, RetryPolicy retries, int batchSize)
      implements Handler {
    public static final int MAX_BATCH_SIZE = 1000;

    public Transactional {
      Limits.range("jobs in a transaction", batchSize, 1, MAX_BATCH_SIZE);
    }

    @Override
    public Transactional withRetries(RetryPolicy retries) {
      return new Transactional(work, retries, batchSize);
    }

    /**
     * Lets up to {@code jobs} that are there anyway share a transaction, and with it the commit. If
     * one of them fails, all are rolled back and run again alone: the work may be called twice in
     * one try, and must do nothing but write through its connection. Jobs that lock the same rows
     * are better off alone.
     */
    public Transactional withBatchSize(int jobs) {
      return new Transactional(work, retries, jobs);
    }
  }

  /** A handler whose effect is remembered by the engine. */
  record Leased(
      LeasedWork work,
      RetryPolicy retries,
      Once once,
      Terms terms,
      Optional<Reconciler<@Nullable Void>> reconciler)
      implements Handler {
    @Override
    public Leased withRetries(RetryPolicy retries) {
      return new Leased(work, retries, once, terms, reconciler);
    }

    public Leased withTerms(Terms terms) {
      return new Leased(work, retries, once, terms, reconciler);
    }

    /**
     * For work that must not be repeated blindly: after a crash {@code reconciler} finds out
     * whether it was done.
     */
    public Leased asking(Reconciler<@Nullable Void> reconciler) {
      return new Leased(
          work, retries, once, terms.withRecovery(Recovery.ASK), Optional.of(reconciler));
    }
  }
}
