package dev.once.inbox;

import dev.once.Fingerprint;
import java.time.Instant;
import java.util.Optional;

/**
 * One fact that a delivery reports. A delivery may have a thousand items, and several deliveries
 * may contain the same item.
 *
 * @param type the kind of item: {@code message}, {@code status}, {@code event}; 1 to 128 characters
 *     of ASCII without spaces
 * @param id identifies the item among all items of its provider, in every delivery that contains
 *     it; 1 to 255 characters
 * @param account the provider's name for the account that the item is for, such as a phone number's
 *     id; may be ""
 * @param fingerprint the digest of the content, which detects the same id with different content
 * @param rank the state that the item reports for its object, for providers that send out of order
 * @param data the item alone, as JSON
 * @param occurredAt when it happened, as its provider signed it
 * @param signedKey identifies the item by what was signed, if its id was not
 */
@SuppressWarnings("ArrayRecordComponent") // passed from a delivery to the store, never compared
record Item(
    String type,
    String id,
    String account,
    Fingerprint fingerprint,
    Optional<Rank> rank,
    byte[] data,
    Optional<Instant> occurredAt,
    Optional<String> signedKey) {
  /** The type of an item that has no usable id or is of an unknown kind. */
  static final String UNKNOWN = "unknown";

  /**
   * The state that an object has reached.
   *
   * @param object what the item is about, 1 to 255 characters
   * @param height a number that is higher for a later state: sent 1, delivered 2, read 3
   */
  record Rank(String object, int height) {}

  /** Makes an item whose id is signed, and whose time does not matter. */
  Item(
      String type,
      String id,
      String account,
      Fingerprint fingerprint,
      Optional<Rank> rank,
      byte[] data) {
    this(type, id, account, fingerprint, rank, data, Optional.empty(), Optional.empty());
  }

  /** Returns what identifies the item in the records. */
  String key() {
    return signedKey.orElse(id);
  }

  /** Returns the same item with other data. */
  Item withData(byte[] data) {
    return new Item(type, id, account, fingerprint, rank, data, occurredAt, signedKey);
  }

  Item withOccurredAt(Optional<Instant> time) {
    return new Item(type, id, account, fingerprint, rank, data, time, signedKey);
  }

  Item withSignedKey(Optional<String> key) {
    return new Item(type, id, account, fingerprint, rank, data, occurredAt, key);
  }

  /** Shows the type and the size, and no content. */
  @Override
  public String toString() {
    return "Item[" + type + ", " + data.length + " bytes]";
  }
}
