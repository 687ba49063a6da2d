package dev.once.jobs;

import java.util.Locale;

/** Where a job is in its life. */
public enum JobState {
  /** Its time has not come: it was enqueued for later, or waits for its next try. */
  WAITING,
  /** Anybody may take it. */
  READY,
  /** Behind an earlier job of its aggregate. */
  BLOCKED,
  /** A worker has it. */
  RUNNING,
  /** All its tries failed, or its handler gave it up. */
  DEAD,
  /** It was finished or discarded. */
  DONE;

  static JobState of(String text) {
    return valueOf(text.toUpperCase(Locale.ROOT));
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
