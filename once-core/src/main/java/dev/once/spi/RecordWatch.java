package dev.once.spi;

import dev.once.Key;

/**
 * Tells those who wait for a record that it changed. For stores that hear of it; one that does not
 * need not implement it, and is asked again and again instead.
 *
 * <p>A watch is a hint. Those who wait ask the store in any case, if later, so that a change nobody
 * told of costs them time and nothing else.
 */
public interface RecordWatch {
  /**
   * Begins to listen for changes of the record of {@code key}. Never fails: a watch that cannot
   * hear lets time pass.
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
