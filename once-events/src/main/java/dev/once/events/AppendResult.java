package dev.once.events;

import java.time.Instant;

/** What the database answers to an append. */
sealed interface AppendResult {
  record Done(long sequence, Instant time) implements AppendResult {}

  /** An event with the id exists, and has this fingerprint. */
  record Duplicate(String first) implements AppendResult {}

  /** The aggregate is at another sequence than expected. */
  record Conflict(long last) implements AppendResult {}

  /** Another transaction appends to the aggregate; only a batch does not wait for it. */
  record Busy() implements AppendResult {}
}
