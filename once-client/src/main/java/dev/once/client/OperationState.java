package dev.once.client;

import java.util.Locale;

/** Where an operation of a queue is. */
public enum OperationState {
  /** It undoes another operation, and waits until the group of that one fails. */
  HELD,
  /** It waits to be sent. */
  PENDING,
  /** It is being sent. */
  SENDING,
  /** It took effect; its answer is kept. */
  DONE,
  /** It has to be looked at: {@link OfflineQueue#resend} or {@link OfflineQueue#repeat}. */
  FAILED,
  /** It was given up, by its user or with its group. */
  DROPPED;

  static OperationState of(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT));
  }

  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns whether nothing more happens by itself. */
  public boolean isEnd() {
    return this == DONE || this == FAILED || this == DROPPED;
  }
}
