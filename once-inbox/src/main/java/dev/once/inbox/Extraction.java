package dev.once.inbox;

import java.util.List;

/** Takes a genuine delivery apart. */
@FunctionalInterface
interface Extraction {
  /** The items in the order in which they were sent; some may be there twice. */
  List<Item> items(Delivery delivery);
}
