package dev.once.spi;

import dev.once.Headers;
import dev.once.Key;
import dev.once.Outcome;
import java.time.Duration;

/** A store's answer to a claim on a key. */
public sealed interface Claim {
  /**
   * The caller owns the key until its lease ends.
   *
   * @param key what the caller owns
   * @param fence outranks every earlier grant of the key
   * @param attempt how many grants this record has had, this one included
   */
  record Granted(Key key, long fence, int attempt) implements Claim {}

  /**
   * The effect is done.
   *
   * @param outcome what it returned
   * @param correlation the ids it came with
   */
  record Replay(Outcome outcome, Headers correlation) implements Claim {}

  /**
   * Another caller owns the key now.
   *
   * @param leaseLeft how long its lease still runs; zero when that is not known yet
   */
  record Held(Duration leaseLeft) implements Claim {}

  /** The key was first claimed for a different request. */
  record Mismatched() implements Claim {}

  /** The last owner's lease ran out, and the effect may have happened. */
  record Uncertain() implements Claim {}
}
