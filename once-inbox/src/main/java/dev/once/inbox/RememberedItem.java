package dev.once.inbox;

import org.jspecify.annotations.Nullable;

/**
 * The database's record of a key after an item with that key was sent.
 *
 * @param isNew whether the item that was sent is the recorded one
 * @param fingerprint the fingerprint of the recorded item; null if it was purged just now or only a
 *     newer release can read it
 */
record RememberedItem(boolean isNew, @Nullable String fingerprint) {
  static RememberedItem of(
      @Nullable Boolean accepted, @Nullable String fingerprint, IncomingItem sent) {
    return accepted != null && accepted
        ? new RememberedItem(true, sent.fingerprint().toString())
        : new RememberedItem(false, fingerprint);
  }

  /**
   * Returns the decision about an item that was sent or shares the key of one that was; null if
   * unknown.
   */
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
