package dev.once.jobs;

import dev.once.internal.LeaseState;
import java.time.Duration;
import java.util.Optional;

/** A claimed job and its lease, as the process that claimed it knows them. */
final class JobLease extends LeaseState {
  private final ClaimedJob job;
  private final QueueRunner runner;
  private final boolean isCertain;
  private volatile boolean hasExceededDeadline;

  JobLease(ClaimedJob job, QueueRunner runner, long sentNanos, Duration lease) {
    this(job, runner, sentNanos, lease, true);
  }

  /**
   * @param isCertain whether the job is known to exist
   */
  JobLease(ClaimedJob job, QueueRunner runner, long sentNanos, Duration lease, boolean isCertain) {
    super(sentNanos, lease);
    this.job = job;
    this.runner = runner;
    this.isCertain = isCertain;
  }

  ClaimedJob job() {
    return job;
  }

  QueueRunner runner() {
    return runner;
  }

  /**
   * Returns false if the job was enqueued in a framework's transaction, and may have been rolled
   * back to a savepoint before the commit.
   */
  boolean isCertain() {
    return isCertain;
  }

  /** Forgets the deadline of an earlier run, whose transaction was rolled back. */
  void startDeadline() {
    hasExceededDeadline = false;
  }

  /** Interrupts the handler, whose attempt fails if it ends by an exception then. */
  void exceedDeadline() {
    hasExceededDeadline = true;
    interruptWork();
  }

  boolean hasExceededDeadline() {
    return hasExceededDeadline;
  }

  /** Returns the handler of the job, if this process has one. */
  Optional<Handler> handler() {
    return runner.handler(job);
  }
}
