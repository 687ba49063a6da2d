package dev.once.events;

import dev.once.Fingerprint;
import java.time.Instant;

/** What the database answers to an append. */
sealed interface AppendResult {
  record Done(long sequence, Instant time) implements AppendResult {}

  /** An event with the id exists. */
  record Duplicate(Fingerprint first) implements AppendResult {}

  /** The aggregate is at another sequence than expected. */
  record Conflict(long last) implements AppendResult {}
}
