package dev.once.spi;

import java.util.Locale;

/** The state of a record. */
public enum State {
  /** A caller owns it, or its lease ran out and the effect may be rerun. */
  IN_PROGRESS,
  /** Done; replayed until it expires. */
  COMPLETED,
  /** Failed for good; replayed until it expires. */
  FAILED,
  /** Did not happen: the next claim executes. */
  OPEN,
  /** The owner's lease ran out, and no caller may execute until it is known what happened. */
  UNCERTAIN;

  /** The name of this state in SQL, metrics and pages. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
