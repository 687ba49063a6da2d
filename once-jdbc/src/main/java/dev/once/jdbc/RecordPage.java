package dev.once.jdbc;

import dev.once.Key;
import dev.once.spi.RecordEntry;
import java.util.List;
import java.util.Optional;

/**
 * A page of records.
 *
 * @param searched how many records were read to find these
 * @param next where the next page starts: {@link RecordSearch#after}; empty if this page is the
 *     last one. A page without records may have a next one, because a page reads a bounded number
 *     of records and some of those do not match.
 */
public record RecordPage(List<RecordEntry> entries, int searched, Optional<Key> next) {
  public RecordPage {
    entries = List.copyOf(entries);
  }
}
