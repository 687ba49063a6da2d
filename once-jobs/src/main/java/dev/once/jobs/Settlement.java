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
   * @param run what this run was; {@code why} is stored with the job if it is counted
   */
  record Reschedule(JobLease jobLease, Duration delay, RunKind run, AttemptFailure why)
      implements Settlement {
    boolean counted() {
      return run == RunKind.COUNTED;
    }
  }

  /**
   * The job becomes a dead letter.
   *
   * @param attempts the number of its attempts
   */
  record Dead(JobLease jobLease, int attempts, AttemptFailure why) implements Settlement {
    /** Returns the settlement of a job that does not survive this attempt. */
    static Dead inThisAttempt(JobLease jobLease, AttemptFailure why) {
      return new Dead(jobLease, jobLease.job().attempt(), why);
    }
  }
}
