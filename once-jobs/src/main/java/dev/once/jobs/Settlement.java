package dev.once.jobs;

import java.time.Duration;

/** How a claimed job is settled. */
sealed interface Settlement {
  JobLease jobLease();

  /** The job is completed. */
  record Done(JobLease jobLease, Duration took) implements Settlement {}

  /**
   * The job is rescheduled.
   *
   * @param counted whether the run counts as an attempt, and {@code why} is stored with the job
   */
  record Reschedule(JobLease jobLease, Duration delay, boolean counted, AttemptFailure why)
      implements Settlement {}

  /** The job becomes a dead letter. */
  record Dead(JobLease jobLease, AttemptFailure why) implements Settlement {}
}
