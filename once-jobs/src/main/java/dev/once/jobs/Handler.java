package dev.once.jobs;

import dev.once.Once;
import dev.once.Reconciler;
import dev.once.Recovery;
import dev.once.Terms;
import dev.once.internal.Limits;
import java.sql.Connection;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The work for jobs of one type, and the way in which its effect happens once. */
public sealed interface Handler {
  /** Work that a database transaction rolls back if it fails. */
  @FunctionalInterface
  interface TransactionalWork {
    void run(JobRun run, Connection connection) throws Exception;
  }

  /** Work with effects outside the database. */
  @FunctionalInterface
  interface LeasedWork {
    void run(JobRun run) throws Exception;
  }

  /** The default terms of leased jobs: a job may run for a day. */
  Terms TERMS = Terms.DEFAULT.withMaxRunTime(Duration.ofDays(1));

  RetryPolicy retries();

  Handler withRetries(RetryPolicy retries);

  /**
   * Returns a handler that commits what {@code work} writes through its connection together with
   * the completion of its job: the effect happens exactly once, even if the worker crashes, pauses
   * past its lease or loses the network.
   */
  static Transactional transactional(TransactionalWork work) {
    return new Transactional(work, RetryPolicy.DEFAULT, 1);
  }

  /**
   * Returns a handler that runs {@code work} under a lease, and through {@code once}, which records
   * under the job's key that it was done: a duplicate of the job is completed without running.
   */
  static Leased leased(Once once, LeasedWork work) {
    return new Leased(work, RetryPolicy.DEFAULT, once, TERMS, Optional.empty());
  }

  /** A handler whose effect and completion are one transaction. */
  final class Transactional implements Handler {
    public static final int MAX_BATCH_SIZE = 1000;

    private final TransactionalWork work;
    private final RetryPolicy retries;
    private final int batchSize;

    private Transactional(TransactionalWork work, RetryPolicy retries, int batchSize) {
      Limits.range("jobs in a transaction", batchSize, 1, MAX_BATCH_SIZE);
      this.work = work;
      this.retries = retries;
      this.batchSize = batchSize;
    }

    TransactionalWork work() {
      return work;
    }

    @Override
    public RetryPolicy retries() {
      return retries;
    }

    /** Returns how many jobs may share a transaction. */
    int batchSize() {
      return batchSize;
    }

    @Override
    public Transactional withRetries(RetryPolicy retries) {
      return new Transactional(work, retries, batchSize);
    }

    /**
     * Runs up to {@code jobs} jobs in one transaction, with one commit, if they are claimed
     * already: it does not wait for more. If one of them fails, all are rolled back and each runs
     * again in its own transaction: the work may be called twice in one attempt, and must do
     * nothing but write through its connection. Jobs that lock the same rows should not share a
     * transaction.
     */
    public Transactional withBatchSize(int jobs) {
      return new Transactional(work, retries, jobs);
    }
  }

  /** A handler whose effect is recorded by the engine. */
  final class Leased implements Handler {
    private final LeasedWork work;
    private final RetryPolicy retries;
    private final Once once;
    private final Terms terms;
    private final Optional<Reconciler<@Nullable Void>> reconciler;

    private Leased(
        LeasedWork work,
        RetryPolicy retries,
        Once once,
        Terms terms,
        Optional<Reconciler<@Nullable Void>> reconciler) {
      this.work = work;
      this.retries = retries;
      this.once = once;
      this.terms = terms;
      this.reconciler = reconciler;
    }

    LeasedWork work() {
      return work;
    }

    @Override
    public RetryPolicy retries() {
      return retries;
    }

    /** Returns the engine that records the effect. */
    Once once() {
      return once;
    }

    Terms terms() {
      return terms;
    }

    /** Returns what finds out whether the work was done when that is unknown. */
    Optional<Reconciler<@Nullable Void>> reconciler() {
      return reconciler;
    }

    @Override
    public Leased withRetries(RetryPolicy retries) {
      return new Leased(work, retries, once, terms, reconciler);
    }

    public Leased withTerms(Terms terms) {
      return new Leased(work, retries, once, terms, reconciler);
    }

    /**
     * Returns a handler for work that must not be repeated blindly: after a crash {@code
     * reconciler} finds out whether it was done.
     */
    public Leased asking(Reconciler<@Nullable Void> reconciler) {
      return new Leased(
          work, retries, once, terms.withRecovery(Recovery.ASK), Optional.of(reconciler));
    }
  }
}
