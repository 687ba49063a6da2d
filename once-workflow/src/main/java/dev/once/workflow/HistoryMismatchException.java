package dev.once.workflow;

import dev.once.OnceException;

/**
 * The code of a workflow does not make the calls that a run's history has: it was changed without a
 * new version, or it is not deterministic. The run stays as it is; with the right code, {@link
 * Runs#resume} continues it.
 */
public final class HistoryMismatchException extends OnceException {
  private static final long serialVersionUID = 1L;

  HistoryMismatchException(String message) {
    super(message, null);
  }
}
