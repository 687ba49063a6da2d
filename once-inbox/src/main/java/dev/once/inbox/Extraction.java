package dev.once.inbox;

import java.util.List;

/** Splits a genuine delivery into its items. */
@FunctionalInterface
interface Extraction {
  /** Returns the items in the order in which they were sent; an item may appear twice. */
  List<Item> items(Delivery delivery);
}
