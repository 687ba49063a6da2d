package dev.once.inbox;

import dev.once.Key;

/** An event about a delivery or an item. It contains no payload and no secret. */
public sealed interface InboxEvent {
  String provider();

  /** An item is in the inbox and will be processed. */
  record Accepted(String provider, String type, Key key) implements InboxEvent {}

  /** An item was received again. It is processed once. */
  record Duplicate(String provider, String type, Key key) implements InboxEvent {}

  /**
   * An item was received again with different content. It is recorded in the scope {@code
   * webhook_conflict:{provider}} and not processed: an operator should inspect it.
   */
  record Conflict(String provider, String type, Key key) implements InboxEvent {}

  /** An item is too large to be processed. Only its receipt is recorded. */
  record TooLarge(String provider, String type, Key key) implements InboxEvent {}

  /**
   * An item is not processed, because it happened longer ago than its provider resends. Nothing of
   * it was stored.
   */
  record TooOld(String provider, String type, Key key) implements InboxEvent {}

  /** A delivery was refused, and nothing of it was stored. */
  record Refused(String provider, int status) implements InboxEvent {}

  /** An item is not processed, because a later state of the same object was reported before. */
  record Overtaken(String provider, String type, Key key) implements InboxEvent {}

  /** An item is not processed, because its provider refuted it. */
  record Refuted(String provider, String type, Key key, String reason) implements InboxEvent {}
}
