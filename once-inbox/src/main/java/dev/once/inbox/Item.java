package dev.once.inbox;

import dev.once.Fingerprint;
import java.util.Optional;

/**
 * One thing that a delivery reports. A delivery may have a thousand, and may share some of them
 * with others.
 *
 * @param type what it is: {@code message}, {@code status}, {@code event}; 1 to 128 characters of
 *     ASCII without spaces
 * @param id what tells it apart from all other items of its provider, whatever delivery brings it;
 *     1 to 255 characters
 * @param account the provider's name for whom it is meant, such as a phone number's id; may be ""
 * @param fingerprint what is reported, so that the same id with another content is noticed
 * @param rank how far this takes the object it is about, for providers that mix up their order
 * @param data the item alone, as JSON
 */
@SuppressWarnings("ArrayRecordComponent") // carried from a delivery to the store, never compared
record Item(
    String type,
    String id,
    String account,
    Fingerprint fingerprint,
    Optional<Rank> rank,
    byte[] data) {
  /** The type of what cannot be told apart or is not of a kind that is known. */
  static final String UNKNOWN = "unknown";

  /**
   * How far an object came.
   *
   * @param object what the item is about, 1 to 255 characters
   * @param height a later state's is higher: sent 1, delivered 2, read 3
   */
  record Rank(String object, int height) {}

  /** The same about other data. */
  Item withData(byte[] data) {
    return new Item(type, id, account, fingerprint, rank, data);
  }

  /** Shows what it is, and nothing that it holds. */
  @Override
  public String toString() {
    return "Item[" + type + ", " + data.length + " bytes]";
  }
}
