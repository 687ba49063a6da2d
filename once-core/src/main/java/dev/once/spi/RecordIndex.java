package dev.once.spi;

import dev.once.StoreException;
import java.util.List;

/**
 * Lists the records of one scope. Optional, for stores that keep their records in an order; the
 * engine does not use it. Listing changes nothing.
 */
public interface RecordIndex {
  /**
   * Returns a page of the records that match {@code query}, without expired ones, in the order of
   * the UTF-8 bytes of their keys' values. Records that this release cannot read are left out.
   *
   * @throws StoreException if the store did not answer
   */
  List<RecordEntry> list(RecordQuery query);
}
