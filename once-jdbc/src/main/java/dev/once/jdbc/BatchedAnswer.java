package dev.once.jdbc;

import dev.once.Key;
import dev.once.spi.Claim;

/** What a batch says of one of its calls. */
sealed interface BatchedAnswer {
  /** The answer to a claim. */
  record Claimed(Claim claim) implements BatchedAnswer {}

  /** Another transaction is working on the key that was to be claimed. */
  record Contested() implements BatchedAnswer {}

  /** The claim is answered by an outcome that is too large to be read in a batch. */
  record LargeReplay(Key key, long fence) implements BatchedAnswer {}

  /** How a completion ended. */
  record Completed(ChangeResult change) implements BatchedAnswer {}
}
