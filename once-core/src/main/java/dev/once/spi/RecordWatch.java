package dev.once.spi;

import dev.once.Key;

/**
 * Reports changes of a record to callers that wait for it. Optional, for stores that receive
 * notifications; other stores are polled.
 *
 * <p>A watch is a hint. A waiting caller claims again in any case, only later, so a lost
 * notification costs time and nothing else.
 */
public interface RecordWatch {
  /**
   * Begins to listen for changes of the record of {@code key}. Never fails: a watch without a
   * connection only waits for the time given.
   */
  Watch watch(Key key);

  /** Listens for changes of one record, for one thread. */
  interface Watch extends AutoCloseable {
    /**
     * Returns as soon as the record may have changed since the watch began or this method returned
     * last, and after {@code nanos} at the latest.
     */
    void await(long nanos) throws InterruptedException;

    @Override
    void close();
  }
}
