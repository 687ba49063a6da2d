package dev.once.jdbc;

import dev.once.Key;
import dev.once.Outcome;
import dev.once.spi.Claim;
import dev.once.spi.Packing;
import java.time.Duration;

/** A call of {@code complete}, with the outcome as the table stores it. */
record CompletionCall(
    Claim.Granted grant, Outcome outcome, StoredBody body, String headers, Duration retention)
    implements BatchedCall {
  /** Seals on the thread of the caller, so that other calls of the batch do not wait for it. */
  static CompletionCall of(
      Claim.Granted grant, Outcome outcome, Duration retention, Packing packing) {
    StoredBody body = StoredBody.of(grant.key(), outcome, packing);
    // Of a sealed outcome, the headers are in the body.
    String headers = body.isSealed() ? "" : outcome.headers().toText();
    return new CompletionCall(grant, outcome, body, headers, retention);
  }

  /** Returns the name of the state in SQL. */
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
