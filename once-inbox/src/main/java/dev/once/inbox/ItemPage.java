package dev.once.inbox;

import java.util.List;
import java.util.Optional;

/**
 * A page of items.
 *
 * @param next where the next page starts: {@link ItemQuery#after}; empty if this page is the last
 *     one. A page without items may have a next one, because a page reads a bounded number of items
 */
public record ItemPage(List<ItemView> items, Optional<String> next) {
  public ItemPage {
    items = List.copyOf(items);
  }
}
