package dev.once.jdbc;

import dev.once.Key;
import dev.once.Outcome;
import dev.once.spi.Claim;
import dev.once.spi.Packing;
import java.time.Duration;

/** How a grant ended, and what the table holds of it. */
record CompletionCall(
    Claim.Granted grant, Outcome outcome, StoredBody body, String headers, Duration retention)
    implements BatchedCall {
  /** Seals on the thread of the caller, so that those who share a statement do not wait for it. */
  static CompletionCall of(Claim.Granted grant, Outcome outcome, Duration retention, Packing packing) {
    StoredBody body = StoredBody.of(grant.key(), outcome, packing);
    // The headers that are in the clear.
    String headers = body.isSealed() ? "" : outcome.headers().toText();
    return new CompletionCall(grant, outcome, body, headers, retention);
  }

  /** The word for the state in SQL. */
  String state() {
    return outcome.failed() ? "failed" : "completed";
  }

  @Override
  public Key key() {
    return grant.key();
  }

  @Override
  public String what() {
    return "complete";
  }

  @Override
  public long bytes() {
    return (long) body.storedBytes() + headers.length();
  }
}
