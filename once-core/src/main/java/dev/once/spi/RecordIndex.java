package dev.once.spi;

import dev.once.StoreException;
import java.util.List;

/**
 * Lists the records of one scope. For stores that keep their records in an order; one that does not
 * need not implement it, and nothing in the engine asks for it. Looking changes nothing.
 */
public interface RecordIndex {
  /**
   * A page of the records that {@code query} asks for, without those that have expired, in the
   * order of the UTF-8 bytes of their keys' values.
   *
   * @throws StoreException if the store did not answer
   */
  List<RecordEntry> list(RecordQuery query);
}
