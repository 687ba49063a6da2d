package dev.once.inbox;

import org.jspecify.annotations.Nullable;

/**
 * What the database knows about a key after an item with it was sent there.
 *
 * @param isNew whether that item is the one that is remembered now
 * @param fingerprint that of the item that is remembered; null if it was purged just now
 */
record RememberedItem(boolean isNew, @Nullable String fingerprint) {
  static RememberedItem of(@Nullable Boolean accepted, @Nullable String fingerprint, IncomingItem sent) {
    return accepted != null && accepted
        ? new RememberedItem(true, sent.fingerprint().toString())
        : new RememberedItem(false, fingerprint);
  }

  /** Of an item that was sent, or shares the key of one that was. */
  @Nullable Acceptance acceptanceOf(IncomingItem incoming, boolean wasSent) {
    if (fingerprint == null) {
      return null;
    }
    if (isNew && wasSent) {
      return Acceptance.NEW;
    }
    return fingerprint.equals(incoming.fingerprint().toString())
        ? Acceptance.DUPLICATE
        : Acceptance.CONFLICT;
  }
}
