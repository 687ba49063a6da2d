package dev.once.inbox;

import org.jspecify.annotations.Nullable;

/**
 * What the database knows about a key after an item with it was sent there.
 *
 * @param isNew whether that item is the one that is remembered now
 * @param fingerprint that of the item that is remembered; null if it was purged just now
 */
record Found(boolean isNew, @Nullable String fingerprint) {
  static Found of(@Nullable Boolean accepted, @Nullable String fingerprint, Arrival sent) {
    return accepted != null && accepted
        ? new Found(true, sent.fingerprint().toString())
        : new Found(false, fingerprint);
  }

  /** Of an item that was sent, or shares the key of one that was. */
  @Nullable Acceptance acceptanceOf(Arrival arrival, boolean wasSent) {
    if (fingerprint == null) {
      return null;
    }
    if (isNew && wasSent) {
      return Acceptance.NEW;
    }
    return fingerprint.equals(arrival.fingerprint().toString())
        ? Acceptance.DUPLICATE
        : Acceptance.CONFLICT;
  }
}
