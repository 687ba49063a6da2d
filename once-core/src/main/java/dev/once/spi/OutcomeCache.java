package dev.once.spi;

import dev.once.Fingerprint;
import dev.once.Key;
import dev.once.StoreException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Caches completed outcomes, so that a replay needs no round trip to the store. It decides nothing:
 * the store answers whatever the cache does not have, has lost or cannot reach. A cached outcome is
 * valid until it expires, because a completed outcome never changes.
 *
 * <p>Only the call that recorded an outcome adds it, after the store has it; replays and failures
 * neither add nor remove anything. Methods are thread-safe, and quick even when the cache is
 * unreachable: they give up rather than wait. An exception from {@link #find} counts as a miss.
 */
public interface OutcomeCache {
  /** Caches nothing. */
  OutcomeCache NONE = new NoCache();

  /** Returns what is cached under {@code key}, if it was cached with this {@code fingerprint}. */
  Optional<Claim.Replay> find(Key key, Fingerprint fingerprint);

  /**
   * Caches a completed outcome.
   *
   * @param left how much longer, at least, the store replays the outcome: never cache it for
   *     longer. The cache reads its own clock first and calls this afterwards, so that a pause of
   *     the process between the two shortens the time in the cache and never extends it
   */
  void keep(Key key, Fingerprint fingerprint, Claim.Replay replay, Supplier<Duration> left);

  /**
   * Removes what is cached under {@code key}, and caches nothing under it for a while: an outcome
   * that is being added must not reappear. For an operator, before the store expires the record.
   *
   * @throws StoreException if the outcome may still be cached: the record must not be expired then,
   *     or callers would get an outcome that the store has forgotten
   */
  void forget(Key key);
}
