package dev.once.jdbc;

import dev.once.Key;
import dev.once.spi.Claim;

/** The answer to one call of a batch. */
sealed interface BatchedAnswer {
  /** The answer to a claim. */
  record Claimed(Claim claim) implements BatchedAnswer {}

  /** Another transaction is working on the key. */
  record Contested() implements BatchedAnswer {}

  /** An outcome that is too large to be read in a batch answers the claim. */
  record LargeReplay(Key key, long fence) implements BatchedAnswer {}

  /** The result of a completion. */
  record Completed(ChangeResult change) implements BatchedAnswer {}
}
