package dev.once.workflow;

/** Whether an activation still owns its run. */
enum Ownership {
  OWNED,
  /** It does, and the run is to be cancelled. */
  CANCELLED,
  /** Another activation has the run, or it ended. */
  LOST;

  static Ownership of(boolean owned, boolean cancelled) {
    if (!owned) {
      return LOST;
    }
    return cancelled ? CANCELLED : OWNED;
  }
}
