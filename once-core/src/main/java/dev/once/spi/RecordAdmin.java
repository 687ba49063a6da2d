package dev.once.spi;

import dev.once.Key;
import dev.once.StoreException;

/**
 * What operators do with the records of a store, and the removal of expired ones. The engine does
 * not use it. An operator takes a key from its owner, or forgets a record, in one step: if an
 * operator and an owner act at the same moment, one of them finds that the other was first.
 *
 * <p>Methods throw {@link StoreException} as those of {@link RecordStore} do.
 */
public interface RecordAdmin {
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
}
