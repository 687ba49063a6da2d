package dev.once.testkit;

import dev.once.spi.OutcomeCache;
import dev.once.spi.RecordStore;
import java.time.Duration;
import java.util.List;

/**
 * What {@link RecordStoreContract} and {@link RecordHistoryProperties} need from whoever tests a
 * store. Tests make up keys and tenants of their own, so one database or table serves all of them
 * in turn. They move its time, so no two of them use it at once.
 */
public interface StoreUnderTest {
  /** The store. Every call during one test leads to the same records. */
  RecordStore store();

  /**
   * A second, independent handle on the same records, as another node of the application has: with
   * its own connections, for a store that has connections. A store that lives in one process has no
   * other node and returns {@link #store} itself.
   */
  default RecordStore otherStore() {
    return store();
  }

  /**
   * What engines over the store look into first. An engine answers the same with any cache or none;
   * {@link OnceContract} shows it for this one. Time has to pass for it in {@link #elapse} too.
   */
  default OutcomeCache cache() {
    return OutcomeCache.NONE;
  }

  /**
   * Lets time pass for the store: every lease and every expiry is {@code time} closer afterwards,
   * and {@code createdAt} that much longer ago. A store with a settable clock moves its clock; one
   * whose clock cannot be set moves the times in its records back instead. Nobody waits.
   */
  void elapse(Duration time);

  /**
   * Whether the store forgets expired records by itself, so that a purge finds nothing to remove.
   * Nothing else that is promised depends on it.
   */
  default boolean forgetsByItself() {
    return false;
  }

  /**
   * Transactions that others may have open on a record while callers claim its key. A store without
   * transactions, or one that shares its records with nobody, has none.
   */
  default List<ForeignTransaction> foreignTransactions() {
    return List.of();
  }
}
