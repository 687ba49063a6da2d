package dev.once.inbox;

/** The inbox's decision about an item. */
enum Acceptance {
  /** The item is in the inbox now and will be processed. */
  NEW,
  /** The item was in the inbox before. */
  DUPLICATE,
  /** Another item with the same id was in the inbox before. This item is not processed. */
  CONFLICT
}
