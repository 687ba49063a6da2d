package dev.once.inbox;

import dev.once.Fingerprint;
import java.util.Optional;

/**
 * One thing that a delivery reports. A delivery may have a thousand, and may share some of them
 * with others.
 *
 * @param type what it is: {@code message}, {@code status}, {@code event}
 * @param id what tells it apart from all other items of its provider, whatever delivery brings it
 * @param account the provider's name for whom it is meant, such as a phone number's id; may be ""
 * @param fingerprint what is reported, so that the same id with another content is noticed
 * @param rank how far this takes the object it is about, for providers that mix up their order
 * @param data the item alone, as JSON
 */
record Item(
    String type,
    String id,
    String account,
    Fingerprint fingerprint,
    Optional<Rank> rank,
    byte[] data) {

  /**
   * How far an object came.
   *
   * @param object what the item is about
   * @param height a later state's is higher: sent 1, delivered 2, read 3
   */
  record Rank(String object, int height) {}
}
