package dev.once.spi;

import dev.once.Fingerprint;
import dev.once.Key;
import dev.once.StoreException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Keeps completed outcomes nearer than the store, so that a replay takes no trip to it. It decides
 * nothing: what it does not have, or lost, or cannot reach, the store answers. What it has is the
 * truth until it expires, because a completed outcome never changes.
 *
 * <p>Only the call that executed an effect tells it, once the outcome is safe in the store; replays
 * and failures neither fill it nor remove anything. Methods are thread-safe, and quick even when
 * the cache is not there: they give up rather than wait. Whatever {@link #find} throws is a miss.
 */
public interface OutcomeCache {
  /** Keeps nothing. */
  OutcomeCache NONE = new NoCache();

  /** What is kept under {@code key}, if it was asked for by this very {@code fingerprint}. */
  Optional<Claim.Replay> find(Key key, Fingerprint fingerprint);

  /**
   * Keeps a completed outcome.
   *
   * @param left how long the store still replays it for, at least: never keep it for longer. To be
   *     asked for after the cache has looked at its own clock, so that a process that stops for a
   *     while between the two keeps it for less and not for more
   */
  void keep(Key key, Fingerprint fingerprint, Claim.Replay replay, Supplier<Duration> left);

  /**
   * Removes what is kept under {@code key}, and keeps nothing under it for a while: an outcome that
   * is on its way here must not come back. For an operator, before the store expires the record.
   *
   * @throws StoreException if it may still be kept: the record must not be expired then, or those
   *     who ask would get an outcome that the store has forgotten
   */
  void forget(Key key);
}
