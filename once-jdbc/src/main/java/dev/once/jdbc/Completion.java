package dev.once.jdbc;

import dev.once.Outcome;
import dev.once.spi.Claim;
import dev.once.spi.Packing;
import java.time.Duration;

/** How a grant ended, and what the table holds of it. */
record Completion(Claim.Granted grant, Outcome outcome, Body body, Duration retention) {
  /** Seals on the thread of the caller, so that those who share a statement do not wait for it. */
  static Completion of(Claim.Granted grant, Outcome outcome, Duration retention, Packing packing) {
    return new Completion(grant, outcome, Body.of(grant.key(), outcome, packing), retention);
  }

  /** The headers that are in the clear. */
  String headers() {
    return body.isSealed() ? "" : outcome.headers().toText();
  }
}
