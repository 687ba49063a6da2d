package dev.once.jobs;

import java.time.Duration;

/** What is to become of a claimed job. */
sealed interface Ending {
  Hold hold();

  /** It is finished. */
  record Done(Hold hold, Duration took) implements Ending {}

  /**
   * It comes again.
   *
   * @param counted whether this was one of its tries, and {@code why} is kept with the job
   */
  record Again(Hold hold, Duration delay, boolean counted, Failure why) implements Ending {}

  /** It is a dead letter. */
  record Dead(Hold hold, Failure why) implements Ending {}
}
