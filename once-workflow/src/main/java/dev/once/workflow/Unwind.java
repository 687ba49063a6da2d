package dev.once.workflow;

import org.jspecify.annotations.Nullable;

/**
 * Ends the code of a workflow before its end. An {@code Error}, so that code that catches
 * exceptions does not catch it.
 */
final class Unwind extends Error {
  private static final long serialVersionUID = 1L;

  /** Why the code ends, the strongest reason last. */
  enum Reason {
    /** It waits for time, a signal, a child or a retry. */
    SUSPENDED,
    /** It must do nothing new: the run is cancelled, or compensates, or is only checked. */
    STOPPED,
    /** Another activation owns the run. */
    LOST,
    /** The database failed, the worker stops, or the code does not match the history. */
    BROKEN
  }

  private final Reason reason;

  private Unwind(Reason reason, @Nullable Throwable cause) {
    super("the workflow's code must not catch this: " + reason, cause, true, false);
    this.reason = reason;
  }

  static Unwind because(Reason reason) {
    return new Unwind(reason, null);
  }

  static Unwind brokenBy(Throwable cause) {
    return new Unwind(Reason.BROKEN, cause);
  }

  Reason reason() {
    return reason;
  }

  static void rethrow(Unwind it) {
    throw it;
  }

  /** Returns the stronger one of two. */
  static Unwind stronger(@Nullable Unwind one, Unwind other) {
    return one == null || one.reason.compareTo(other.reason) < 0 ? other : one;
  }
}
