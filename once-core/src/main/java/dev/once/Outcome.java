package dev.once;

import dev.once.internal.Limits;

/**
 * What is recorded of an effect and replayed to every later caller. It consists of bytes and plain
 * values, never a class name, so that it outlives every refactoring of the code that made it.
 *
 * @param failed whether the effect ended in a failure that is final and replayed as such
 * @param status a status code of the caller's protocol, 0 when it has none
 * @param headers names and values that belong to the payload
 * @param payload the answer itself
 */
public record Outcome(boolean failed, int status, Headers headers, Payload payload) {
  private static final int MAX_STATUS = 999;

  public Outcome {
    Limits.range("status", status, 0, MAX_STATUS);
  }

  /** The outcome of an effect that succeeded. */
  public static Outcome completed(Payload payload) {
    return new Outcome(false, 0, Headers.NONE, payload);
  }

  /** The outcome of an effect that failed for good. */
  public static Outcome failed(Payload payload) {
    return new Outcome(true, 0, Headers.NONE, payload);
  }

  /** This outcome, marked as a final failure. */
  Outcome asFailed() {
    return new Outcome(true, status, headers, payload);
  }

  /** This outcome if its payload fits, else the same without the payload's bytes. */
  Outcome within(int maxPayloadBytes) {
    return payload instanceof Payload.Bytes && payload.size() > maxPayloadBytes
        ? new Outcome(failed, status, headers, new Payload.Dropped(payload.size()))
        : this;
  }
}
