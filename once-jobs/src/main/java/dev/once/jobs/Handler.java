package dev.once.jobs;

import dev.once.Once;
import dev.once.Reconciler;
import dev.once.Recovery;
import dev.once.Terms;
import dev.once.internal.Limits;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The work for jobs of one type, and the way in which its effect happens once. */
public abstract sealed class Handler {
  /** Work that a database transaction rolls back if it fails. */
  @FunctionalInterface
  public interface TransactionalWork {
    void run(JobRun run, Connection connection) throws Exception;
  }

  /** Work with effects outside the database. */
  @FunctionalInterface
  public interface LeasedWork {
    void run(JobRun run) throws Exception;
  }

  /** The default terms of leased jobs: a job may run for a day. */
  public static final Terms TERMS = Terms.DEFAULT.withMaxRunTime(Duration.ofDays(1));

  public static final Duration MIN_DEADLINE = Duration.ofMillis(1);
  public static final Duration MAX_DEADLINE = Duration.ofDays(30);

  private final Rules rules;

  private Handler(Rules rules) {
    this.rules = rules;
  }

  /** What all handlers have. */
  private record Rules(RetryPolicy retries, Optional<Duration> deadline) {
    static final Rules DEFAULT = new Rules(RetryPolicy.DEFAULT, Optional.empty());

    Rules with(RetryPolicy other) {
      return new Rules(other, deadline);
    }

    Rules with(Duration other) {
      Limits.range("deadline", other, MIN_DEADLINE, MAX_DEADLINE);
      return new Rules(retries, Optional.of(other));
    }
  }

  /**
   * Returns a handler that commits what {@code work} writes through its connection together with
   * the completion of its job: the effect happens exactly once, even if the worker crashes, pauses
   * past its lease or loses the network.
   */
  public static Transactional transactional(TransactionalWork work) {
    return new Transactional(work, Rules.DEFAULT, 1);
  }

  /**
   * Returns a handler that runs {@code work} under a lease, and through {@code once}, which records
   * under the job's key that it was done: a duplicate of the job is completed without running.
   */
  public static Leased leased(Once once, LeasedWork work) {
    return new Leased(work, Rules.DEFAULT, once, TERMS, Optional.empty());
  }

  /**
   * Returns a handler that runs {@code work} under the lease of its job and records nothing: after
   * a crash the work runs again. For work that records itself what it did, and guards that with
   * {@link JobRun#fence} or a fence of its own.
   */
  public static Fenced fenced(LeasedWork work) {
    return new Fenced(work, Rules.DEFAULT);
  }

  private Rules rules() {
    return rules;
  }

  public RetryPolicy retries() {
    return rules.retries();
  }

  /** Returns how long an attempt may take; empty for no limit. */
  public Optional<Duration> deadline() {
    return rules.deadline();
  }

  public abstract Handler withRetries(RetryPolicy retries);

  /**
   * Interrupts attempts that take longer than {@code deadline}. Such an attempt fails if the work
   * then ends by an exception; work that ignores the interrupt and returns has completed its job.
   * Without a deadline, work that hangs occupies its slot until its process ends.
   */
  public abstract Handler withDeadline(Duration deadline);

  /** Returns whether a failed attempt may leave effects behind. */
  abstract boolean leavesEffects();

  /** Returns whether a run that ended without a word must not simply be repeated. */
  boolean mustAsk() {
    return false;
  }

  /** Returns how many jobs may share a transaction; 1 if jobs have none. */
  abstract int batchSize();

  /** Runs jobs with the executor for this kind of handler. */
  abstract void run(List<JobLease> leases, JobExecutor executor);

  /** A handler whose effect and completion are one transaction. */
  public static final class Transactional extends Handler {
    public static final int MAX_BATCH_SIZE = 1000;

    private final TransactionalWork work;
    private final int batchSize;

    private Transactional(TransactionalWork work, Rules rules, int batchSize) {
      super(rules);
      Limits.range("jobs in a transaction", batchSize, 1, MAX_BATCH_SIZE);
      this.work = work;
      this.batchSize = batchSize;
    }

    TransactionalWork work() {
      return work;
    }

    @Override
    boolean leavesEffects() {
      return false;
    }

    @Override
    int batchSize() {
      return batchSize;
    }

    @Override
    void run(List<JobLease> leases, JobExecutor executor) {
      executor.transactional().run(leases, this);
    }

    @Override
    public Transactional withRetries(RetryPolicy retries) {
      return new Transactional(work, super.rules().with(retries), batchSize);
    }

    @Override
    public Transactional withDeadline(Duration deadline) {
      return new Transactional(work, super.rules().with(deadline), batchSize);
    }

    /**
     * Runs up to {@code jobs} jobs in one transaction, with one commit, if they are claimed
     * already. It waits for more only while two such transactions run, and for 5 milliseconds at
     * most. If one of them fails, all are rolled back and each runs again in its own transaction:
     * the work may be called twice in one attempt, and must do nothing but write through its
     * connection. Jobs that lock the same rows should not share a transaction.
     */
    public Transactional withBatchSize(int jobs) {
      return new Transactional(work, super.rules(), jobs);
    }
  }

  /** A handler whose effect is recorded by the engine. */
  public static final class Leased extends Handler {
    private final LeasedWork work;
    private final Once once;
    private final Terms terms;
    private final Optional<Reconciler<@Nullable Void>> reconciler;

    private Leased(
        LeasedWork work,
        Rules rules,
        Once once,
        Terms terms,
        Optional<Reconciler<@Nullable Void>> reconciler) {
      super(rules);
      this.work = work;
      this.once = once;
      this.terms = terms;
      this.reconciler = reconciler;
    }

    LeasedWork work() {
      return work;
    }

    @Override
    boolean leavesEffects() {
      return true;
    }

    @Override
    int batchSize() {
      return 1;
    }

    @Override
    void run(List<JobLease> leases, JobExecutor executor) {
      leases.forEach(jobLease -> executor.leased().run(jobLease, this));
    }

    @Override
    boolean mustAsk() {
      return terms.recovery() == Recovery.ASK;
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
      return new Leased(work, super.rules().with(retries), once, terms, reconciler);
    }

    @Override
    public Leased withDeadline(Duration deadline) {
      return new Leased(work, super.rules().with(deadline), once, terms, reconciler);
    }

    /**
     * Sets lease, recovery and limits. The record that a job was done is kept as long as its key,
     * {@link Jobs.Builder#retention}, whatever the retention of {@code terms} is.
     */
    public Leased withTerms(Terms terms) {
      return new Leased(work, super.rules(), once, terms, reconciler);
    }

    /**
     * Returns a handler for work that must not be repeated blindly: after a crash {@code
     * reconciler} finds out whether it was done.
     */
    public Leased asking(Reconciler<@Nullable Void> reconciler) {
      return new Leased(
          work, super.rules(), once, terms.withRecovery(Recovery.ASK), Optional.of(reconciler));
    }
  }

  /** A handler whose work records its effect itself. */
  public static final class Fenced extends Handler {
    private final LeasedWork work;

    private Fenced(LeasedWork work, Rules rules) {
      super(rules);
      this.work = work;
    }

    LeasedWork work() {
      return work;
    }

    @Override
    boolean leavesEffects() {
      return true;
    }

    @Override
    int batchSize() {
      return 1;
    }

    @Override
    void run(List<JobLease> leases, JobExecutor executor) {
      leases.forEach(jobLease -> executor.fenced().run(jobLease, this));
    }

    @Override
    public Fenced withRetries(RetryPolicy retries) {
      return new Fenced(work, super.rules().with(retries));
    }

    @Override
    public Fenced withDeadline(Duration deadline) {
      return new Fenced(work, super.rules().with(deadline));
    }
  }
}
