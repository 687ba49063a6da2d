package dev.once.events.internal;

import dev.once.Fingerprint;

/** What the database answers to a reservation. */
public sealed interface ReserveResult {
  record Reserved(Reservation reservation) implements ReserveResult {}

  /** Another event reserved under the id. */
  record Mismatch(Fingerprint first) implements ReserveResult {}

  /** The aggregate is at another sequence than expected, or this event was written meanwhile. */
  record Conflict(long last) implements ReserveResult {}
}
