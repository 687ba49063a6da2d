package dev.once.workflow;

import dev.once.steps.RunId;
import org.jspecify.annotations.Nullable;

/**
 * A run and its history, as its activation got them.
 *
 * @param fence the fence of this activation
 */
@SuppressWarnings("ArrayRecordComponent") // read from a row, never compared
record BegunRun(
    RunId id,
    String workflow,
    int version,
    RunState state,
    long fence,
    boolean isCancelled,
    byte[] input,
    byte @Nullable [] failure,
    boolean hasParent,
    History history) {
  @Override
  public String toString() {
    return "run " + id.value() + " of " + workflow + " version " + version;
  }
}
