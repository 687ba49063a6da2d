package dev.once.testkit;

import dev.once.spi.OutcomeCache;
import dev.once.spi.RecordAdmin;
import dev.once.spi.RecordStore;
import java.time.Duration;
import java.util.List;

/**
 * What a test of a store provides to {@link RecordStoreContract} and {@link
 * RecordHistoryProperties}. Tests use new keys and tenants, so one database or table serves all
 * tests, one after the other. They move its time, so no two tests use it at once.
 */
public interface StoreUnderTest {
  /**
   * The store, which is a {@link RecordAdmin} too unless {@link #admin} is overridden. Every call
   * during one test returns a store with the same records.
   */
  RecordStore store();

  /**
   * A second, independent handle on the same records, as another node of the application has: with
   * its own connections, for a store that has connections. A store that lives in one process has no
   * other node and returns {@link #store} itself.
   */
  default RecordStore otherStore() {
    return store();
  }

  /** What operators do with the records of {@link #store}. */
  default RecordAdmin admin() {
    return (RecordAdmin) store();
  }

  /** What operators do with the records of {@link #otherStore}. */
  default RecordAdmin otherAdmin() {
    return (RecordAdmin) otherStore();
  }

  /**
   * The cache of engines over the store. An engine answers the same with any cache or none; {@link
   * OnceContract} tests this for the given one. Time has to pass for it in {@link #elapse} too.
   */
  default OutcomeCache cache() {
    return OutcomeCache.NONE;
  }

  /**
   * Advances the store's time: every lease and every expiry is {@code time} closer afterwards, and
   * {@code createdAt} that much longer ago. A store with a settable clock moves its clock; one
   * whose clock cannot be set moves the times in its records back instead. No real time passes.
   */
  void elapse(Duration time);

  /**
   * Whether the store forgets expired records by itself, so that a purge finds nothing to remove.
   * No other promise depends on it.
   */
  default boolean forgetsByItself() {
    return false;
  }

  /**
   * Transactions that other programs may have open on a record while callers claim its key. A store
   * without transactions, or one that does not share its records, has none.
   */
  default List<ForeignTransaction> foreignTransactions() {
    return List.of();
  }
}
