package dev.once.jobs;

import dev.once.internal.LeaseState;
import java.time.Duration;
import java.util.Optional;

/** A claimed job and its lease, as the process that claimed it knows them. */
final class JobLease extends LeaseState {
  private final ClaimedJob job;
  private final QueueRunner runner;
  private volatile boolean hasExceededDeadline;

  JobLease(ClaimedJob job, QueueRunner runner, long sentNanos, Duration lease) {
    super(sentNanos, lease);
    this.job = job;
    this.runner = runner;
  }

  ClaimedJob job() {
    return job;
  }

  QueueRunner runner() {
    return runner;
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
