package dev.once.inbox;

import java.util.Locale;

/** What became of an item that was received. */
public enum ItemState {
  /** It waits for its time: for its next attempt, or for its provider's confirmation. */
  WAITING,
  /** Any worker may process it. */
  READY,
  /** A worker processes it. */
  RUNNING,
  /** All its attempts failed, or it was given up: an operator retries or discards it. */
  DEAD,
  /** It was processed. */
  PROCESSED,
  /** An operator discarded or cancelled it. */
  DISCARDED,
  /**
   * It is known, and has no job: its job ended longer ago than finished jobs are remembered, or it
   * was too large to be processed.
   */
  RECORDED,
  /** It was sent under the id of another item, and is not processed. */
  CONFLICT;

  /** Returns the word for it in APIs and on pages. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
