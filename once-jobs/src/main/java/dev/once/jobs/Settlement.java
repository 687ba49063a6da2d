package dev.once.jobs;

import java.time.Duration;
import java.util.function.Consumer;

/** How a claimed job is settled. */
sealed interface Settlement {
  JobLease jobLease();

  /** Handles every case. A new case becomes a new parameter, so the compiler finds each caller. */
  default void accept(
      Consumer<? super Done> done,
      Consumer<? super Reschedule> reschedule,
      Consumer<? super Dead> dead) {
    if (this instanceof Done it) {
      done.accept(it);
    } else if (this instanceof Reschedule it) {
      reschedule.accept(it);
    } else if (this instanceof Dead it) {
      dead.accept(it);
    } else {
      throw new AssertionError("unhandled settlement " + this);
    }
  }

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
