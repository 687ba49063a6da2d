package dev.once.jobs;

import dev.once.internal.LeaseState;
import java.time.Duration;

/** A claimed job and its lease, as the process that claimed it knows them. */
final class JobLease extends LeaseState {
  private final ClaimedJob job;
  private final QueueRunner runner;

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
}
