package dev.once.client;

import java.time.Duration;

/** What follows from the outcome of an attempt. */
sealed interface Decision {
  /** The operation took effect: now, or before and the server repeats its answer. */
  record Done(boolean isReplayed) implements Decision {}

  /**
   * Send the same bytes with the same key again.
   *
   * @param atLeast the shortest pause; the server asked for it
   */
  record Retry(Duration atLeast) implements Decision {}

  /** The server is executing it, and has more to say at a link. */
  record Follow(String link, Duration atLeast) implements Decision {}

  /** The server's answer is the last word under this key, or until something else changes. */
  record Refused(Advice advice) implements Decision {}

  /** The operation may have taken effect, and must not be sent again now. */
  record Unknown(Advice advice) implements Decision {}
}
