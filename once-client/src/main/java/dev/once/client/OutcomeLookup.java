package dev.once.client;

import java.io.IOException;

/**
 * Finds out what became of an operation that was sent so long ago that the server may have
 * forgotten its key: by asking the server, or by reading what the operation would have changed.
 * That the server does not know the key says nothing: it may have forgotten it.
 */
@FunctionalInterface
public interface OutcomeLookup {
  /** Returns what became of it. */
  Outcome find(Operation operation) throws IOException, InterruptedException;

  /** What became of an operation. */
  enum Outcome {
    TOOK_EFFECT,
    /** It is sent again, and the time from which the server knows its key starts again. */
    DID_NOT_TAKE_EFFECT,
    /** A person has to decide: the operation fails with {@link Advice#CHECK_FIRST}. */
    UNKNOWN
  }
}
