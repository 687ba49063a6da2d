package dev.once.spi;

import dev.once.Key;
import dev.once.LeaseLostException;
import dev.once.Outcome;
import dev.once.StoreException;
import java.time.Duration;
import java.util.Optional;

/**
 * Keeps one record per key and decides who may act on it. Every implementation extends {@code
 * RecordStoreContract} of once-testkit, which has a test per promise:
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
 *   <li>An interrupt of the calling thread, platform or virtual, changes no answer, and is there
 *       when the call returns.
 *   <li>An operator takes a key from its owner, or forgets a record, in one step: of an operator
 *       and an owner who act at the same moment, one finds that the other was first.
 * </ol>
 *
 * <p>Methods are thread-safe, block until the store answered, and throw {@link StoreException} when
 * it did not: the change may or may not have been made, or surely was not, if it is a {@link
 * dev.once.StoreUnavailableException}.
 */
public interface RecordStore {
  /**
   * Asks to own a key. Durations are lengths: only the store's clock measures them. If the key is
   * in progress under the token of {@code request}, the answer is the same grant while its lease
   * runs, and a new one, whatever its recovery, after that.
   */
  Claim claim(ClaimRequest request);

  /**
   * Asks like {@link #claim}, and is granted an uncertain record too. For those who can find out
   * what happened: they complete the grant if the effect happened and release it if it did not.
   */
  Claim reconcile(ClaimRequest request);

  /**
   * Records the outcome and replays it for {@code retention} from now. Completing again under the
   * same grant changes nothing and is no error, so a lost answer may be asked for again.
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
   * Lets the lease end {@code lease} from now. Zero ends it at once, as if its owner had vanished.
   *
   * @throws LeaseLostException if the grant no longer owns the key
   */
  void renew(Claim.Granted grant, Duration lease);

  /**
   * Takes the key from whoever has it, for an operator who knows that the effect did not happen:
   * the next claim executes. A record that is in progress, whether its lease runs or ran out, or
   * uncertain becomes open. Its grant changes nothing any more, but an effect that still runs is
   * not stopped by this: it hears of it from its next heartbeat.
   *
   * <p>Fingerprint, expiry and attempts stay. An open record is granted however many attempts it
   * had, so one that used up its attempts executes once more; if that owner vanishes too, the
   * record is uncertain again.
   *
   * @return whether the record was reopened; if not, it is done, open or absent, and stays as it is
   */
  boolean reopen(Key key);

  /**
   * Forgets the record now, as if its retention were over: the next claim, of whatever fingerprint,
   * is that of a new request, with a higher fence than all before, and a purge removes what is
   * left. A record whose lease runs stays as it is; {@link #reopen} it first.
   *
   * @return whether the record was there and is forgotten
   */
  boolean expire(Key key);

  /** Removes expired records, at most as many as asked for, and returns how many those were. */
  int purge(Purge purge);

  /** The record as it is now, without changing it. */
  Optional<RecordView> find(Key key);
}
