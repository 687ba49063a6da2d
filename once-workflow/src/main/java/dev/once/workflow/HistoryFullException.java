package dev.once.workflow;

import dev.once.OnceException;

/** A run has as many entries, or as large ones, as a run may have. It can only be cancelled. */
final class HistoryFullException extends OnceException {
  private static final long serialVersionUID = 1L;

  HistoryFullException(String message) {
    super(message, null);
  }
}
