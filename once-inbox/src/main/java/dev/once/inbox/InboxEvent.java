package dev.once.inbox;

import dev.once.Key;

/** Something that happened to what providers send. Has no payload in it, and no secret. */
public sealed interface InboxEvent {
  String provider();

  /** An item is in the inbox, and will be processed. */
  record Accepted(String provider, String type, Key key) implements InboxEvent {}

  /** An item came again. It is processed once. */
  record Duplicate(String provider, String type, Key key) implements InboxEvent {}

  /**
   * An item came again with another content. It is remembered in the scope {@code
   * webhook_conflict:{provider}} and not processed: somebody should have a look.
   */
  record Conflict(String provider, String type, Key key) implements InboxEvent {}

  /** An item is too large to be processed. That it came is remembered. */
  record TooLarge(String provider, String type, Key key) implements InboxEvent {}

  /** A delivery was refused, and nothing of it was kept. */
  record Refused(String provider, int status) implements InboxEvent {}

  /** An item is not processed, because a later one about the same object was. */
  record Overtaken(String provider, String type, Key key) implements InboxEvent {}

  /** An item is not processed, because its provider does not know of it when asked. */
  record Refuted(String provider, String type, Key key, String reason) implements InboxEvent {}
}
