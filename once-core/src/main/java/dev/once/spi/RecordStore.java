package dev.once.spi;

import dev.once.Key;
import dev.once.LeaseLostException;
import dev.once.Outcome;
import dev.once.StoreException;
import java.time.Duration;
import java.util.Optional;

/**
 * Keeps one record per key and decides which caller may act on it. Every implementation extends
 * {@code RecordStoreContract} of once-testkit, which has a test per promise:
 *
 * <ol>
 *   <li>Of concurrent claims on a key, at most one is granted while a lease runs.
 *   <li>A later grant for a key has a higher fence than every earlier one, also across expiry and
 *       purge. A grant that is not the newest changes nothing.
 *   <li>A completed outcome does not change until it expires, and every claim with the same
 *       fingerprint gets it, byte for byte.
 *   <li>The fingerprint binds a key from its first claim until its record expires.
 *   <li>Lease and retention are separate clocks, and both are the store's.
 *   <li>Claims that are not granted, and finds, change nothing.
 *   <li>A claim that is sent again with the token of the key's current grant gets that grant again,
 *       with the same fence: its answer was lost, and its owner has not begun. Once that grant was
 *       given back, the claim is not granted again.
 *   <li>An interrupt of the calling thread, platform or virtual, changes no answer, and is still
 *       set when the call returns.
 * </ol>
 *
 * <p>A store is usually a {@link RecordAdmin} too: expired records have to be removed, and
 * operators decide about keys that are uncertain.
 *
 * <p>Methods are thread-safe, block until the store answered, and throw {@link StoreException} when
 * it did not: the change may or may not have been made, or certainly was not made, if it is a
 * {@link dev.once.StoreUnavailableException}.
 */
public interface RecordStore {
  /**
   * Claims a key. Durations are lengths: only the store's clock measures them. If the key is in
   * progress under the token of {@code request}, the answer is the same grant while its lease runs,
   * and a new one, whatever its recovery, after that. An uncertain record is granted only if the
   * caller is {@linkplain ClaimRequest#reconciling reconciling}.
   */
  Claim claim(ClaimRequest request);

  /**
   * Records the outcome and replays it for {@code retention} from now. Completing again under the
   * same grant changes nothing and is no error, so a completion whose answer was lost may be sent
   * again.
   *
   * @throws LeaseLostException if a newer grant exists or the record was reopened
   */
  void complete(Claim.Granted grant, Outcome outcome, Duration retention);

  /**
   * Gives the key back after an effect that did not happen: the next claim executes.
   *
   * @throws LeaseLostException if the grant no longer owns the key
   */
  void release(Claim.Granted grant);

  /**
   * Sets the end of the lease to {@code lease} from now. Zero ends it at once, as if its owner had
   * crashed and the lease had run out.
   *
   * @throws LeaseLostException if the grant no longer owns the key
   */
  void renew(Claim.Granted grant, Duration lease);

  /** Returns the record as it is now, without changing it. */
  Optional<RecordView> find(Key key);
}
