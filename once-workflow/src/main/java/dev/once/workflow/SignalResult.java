package dev.once.workflow;

/** What became of a signal. */
public enum SignalResult {
  /** The run receives it when its code waits for it. */
  ACCEPTED,
  /** The run has a signal of that name with that id already; nothing was changed. */
  KNOWN,
  /** The run has ended. */
  ENDED,
  /** There is no such run. */
  MISSING,
  /** Too many signals wait for the run: see {@link Workflows#MAX_WAITING_SIGNALS}. */
  FULL
}
