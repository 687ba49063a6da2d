package dev.once.jobs;

import java.time.Duration;

/** What is to become of a claimed job. */
sealed interface Settlement {
  JobLease jobLease();

  /** It is finished. */
  record Done(JobLease jobLease, Duration took) implements Settlement {}

  /**
   * It comes again.
   *
   * @param counted whether this was one of its tries, and {@code why} is kept with the job
   */
  record Again(JobLease jobLease, Duration delay, boolean counted, AttemptFailure why) implements Settlement {}

  /** It is a dead letter. */
  record Dead(JobLease jobLease, AttemptFailure why) implements Settlement {}
}
