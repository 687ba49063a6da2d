package dev.once.jobs;

import java.util.Locale;

/** The state of a job. */
public enum JobState {
  /** Not due yet: it was enqueued for later, or waits for its next attempt. */
  WAITING,
  /** Any worker may claim it. */
  READY,
  /** Waits for every earlier job of its aggregate, or, as a join, for every job of its batch. */
  BLOCKED,
  /** A worker has claimed it. */
  RUNNING,
  /** A dead letter: all its attempts failed, or it was given up. */
  DEAD,
  /** It was completed or discarded. */
  DONE;

  static JobState of(String text) {
    return valueOf(text.toUpperCase(Locale.ROOT));
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
