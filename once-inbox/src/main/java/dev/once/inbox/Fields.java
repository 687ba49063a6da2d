package dev.once.inbox;

import java.util.List;
import java.util.Optional;

/**
 * Locates the fields of a custom provider's events by JSON Pointers (RFC 6901). An immutable value;
 * every field is optional:
 *
 * <pre>{@code
 * Fields.none().withId("/event/id").withType("/event/type")
 *     .withOrder("/parcel/id", "/parcel/state", "packed", "sent", "arrived")
 * }</pre>
 */
public final class Fields {
  private static final Fields NONE =
      new Fields(
          FieldSource.nowhere(), FieldSource.nowhere(), FieldSource.nowhere(), Optional.empty());

  private final FieldSource id;
  private final FieldSource type;
  private final FieldSource account;
  private final Optional<StateOrder> order;

  private Fields(
      FieldSource id, FieldSource type, FieldSource account, Optional<StateOrder> order) {
    this.id = id;
    this.type = type;
    this.account = account;
    this.order = order;
  }

  /**
   * Returns fields for events of unknown structure: signature, timestamp and content identify them.
   */
  public static Fields none() {
    return NONE;
  }

  /**
   * Returns the same fields with the id at {@code pointer}. An event without it is identified as if
   * no id were declared.
   */
  public Fields withId(String pointer) {
    return new Fields(at(pointer), type, account, order);
  }

  /** Returns the same fields with the type at {@code pointer}; {@code event} if it is missing. */
  public Fields withType(String pointer) {
    return new Fields(id, at(pointer), account, order);
  }

  /**
   * Returns the same fields with the account at {@code pointer}, for {@link Provider#withTenants}.
   */
  public Fields withAccount(String pointer) {
    return new Fields(id, type, at(pointer), order);
  }

  /**
   * Returns the same fields for events that may arrive out of order: of two events about one
   * object, the one with the later state counts.
   */
  public Fields withOrder(String object, String state, String... states) {
    return new Fields(
        id, type, account, Optional.of(new StateOrder(at(object), at(state), List.of(states))));
  }

  Extraction extraction(Signing signing) {
    FieldSource known = id.usable(ItemId.MAX_CHARS).or(signing.digest());
    return new EventItems(known, type, account, order);
  }

  private static FieldSource at(String pointer) {
    if (!pointer.startsWith("/")) {
      throw new IllegalArgumentException(
          "pointer must start with / and so point below the root, got \"" + pointer + "\"");
    }
    return FieldSource.at(pointer);
  }
}
