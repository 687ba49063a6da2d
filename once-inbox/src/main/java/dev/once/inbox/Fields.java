package dev.once.inbox;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.core.JsonPointer;

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
          FieldSource.nowhere(),
          FieldSource.nowhere(),
          FieldSource.nowhere(),
          Optional.empty(),
          List.of());

  private final FieldSource id;
  private final FieldSource type;
  private final FieldSource account;
  private final Optional<StateOrder> order;
  private final List<JsonPointer> volatileMembers;

  private Fields(
      FieldSource id,
      FieldSource type,
      FieldSource account,
      Optional<StateOrder> order,
      List<JsonPointer> volatileMembers) {
    this.id = id;
    this.type = type;
    this.account = account;
    this.order = order;
    this.volatileMembers = volatileMembers;
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
    return new Fields(at(pointer), type, account, order, volatileMembers);
  }

  /** Returns the same fields with the type at {@code pointer}; {@code event} if it is missing. */
  public Fields withType(String pointer) {
    return new Fields(id, at(pointer), account, order, volatileMembers);
  }

  /**
   * Returns the same fields with the account at {@code pointer}, for {@link Provider#withTenants}.
   */
  public Fields withAccount(String pointer) {
    return new Fields(id, type, at(pointer), order, volatileMembers);
  }

  /**
   * Returns the same fields for events that may arrive out of order: of two events about one
   * object, the one with the later state counts.
   */
  public Fields withOrder(String object, String state, String... states) {
    return new Fields(
        id,
        type,
        account,
        Optional.of(new StateOrder(at(object), at(state), List.of(states))),
        volatileMembers);
  }

  /**
   * Returns the same fields for events that may have other values in these members when they are
   * sent again: they do not make an event with a known id a conflict.
   */
  public Fields withVolatile(String... pointers) {
    List<JsonPointer> members = Stream.of(pointers).map(Fields::pointer).toList();
    return new Fields(id, type, account, order, members);
  }

  Extraction extraction(Signing signing) {
    FieldSource known = id.usable(ItemId.MAX_CHARS).or(signing.digest());
    return new EventItems(known, type, account, order).withVolatile(volatileMembers);
  }

  static FieldSource at(String pointer) {
    return FieldSource.at(pointer(pointer).toString());
  }

  private static JsonPointer pointer(String pointer) {
    if (!pointer.startsWith("/")) {
      throw new IllegalArgumentException(
          "pointer must start with / and so point below the root, got \"" + pointer + "\"");
    }
    return JsonPointer.compile(pointer);
  }
}
