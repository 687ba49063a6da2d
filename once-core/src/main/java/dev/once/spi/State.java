package dev.once.spi;

import java.util.Locale;

/** Where a record is in its life. */
public enum State {
  /** Someone owns it, or owned it until the lease ran out and may be rerun. */
  IN_PROGRESS,
  /** Done; replayed until it expires. */
  COMPLETED,
  /** Failed for good; replayed until it expires. */
  FAILED,
  /** Did not happen: the next claim executes. */
  OPEN,
  /** The owner vanished and nobody may execute until someone found out what happened. */
  UNCERTAIN;

  /** The word for this state in SQL, metrics and pages. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
