package dev.once.inbox;

/** What the inbox makes of an item. */
enum Acceptance {
  /** It is in the inbox now, and will be processed. */
  NEW,
  /** It was in the inbox before. */
  DUPLICATE,
  /** Another item with the same id was in the inbox before. This one is not processed. */
  CONFLICT
}
