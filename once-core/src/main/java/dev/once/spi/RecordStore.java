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
 *   <li>An operator takes a key from its owner, or forgets a record, in one step: if an operator
 *       and an owner act at the same moment, one of them finds that the other was first.
 * </ol>
 *
 * <p>Methods are thread-safe, block until the store answered, and throw {@link StoreException} when
 * it did not: the change may or may not have been made, or certainly was not made, if it is a
 * {@link dev.once.StoreUnavailableException}.
 */
public interface RecordStore {
  /**
   * Claims a key. Durations are lengths: only the store's clock measures them. If the key is in
   * progress under the token of {@code request}, the answer is the same grant while its lease runs,
   * and a new one, whatever its recovery, after that.
   */
  Claim claim(ClaimRequest request);

  /**
   * Claims like {@link #claim}, and is granted an uncertain record too. For callers that can find
   * out what happened: they complete the grant if the effect happened and release it if it did not.
   */
  Claim reconcile(ClaimRequest request);

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

  /**
   * Takes the key from its owner, for an operator that knows that the effect did not happen: the
   * next claim executes. A record becomes open if it is uncertain, or in progress, whether its
   * lease runs or ran out. Its grant can no longer change anything, but this does not stop an
   * effect that still runs: the effect's next heartbeat finds the lease lost.
   *
   * <p>Fingerprint, expiry and attempts stay. An open record is granted however many attempts it
   * had, so one that used up its attempts executes once more; if that owner's lease runs out too,
   * the record is uncertain again.
   *
   * @return whether the record was reopened; if not, it is done, open or absent, and stays as it is
   */
  boolean reopen(Key key);

  /**
   * Forgets the record now, as if its retention were over: the next claim, with any fingerprint, is
   * a new request, with a higher fence than all before, and a purge removes the expired record. A
   * record whose lease runs stays as it is; {@link #reopen} it first.
   *
   * @return whether the record was there and is forgotten
   */
  boolean expire(Key key);

  /** Removes expired records, at most {@link Purge#limit()}, and returns how many it removed. */
  int purge(Purge purge);

  /** Returns the record as it is now, without changing it. */
  Optional<RecordView> find(Key key);
}
