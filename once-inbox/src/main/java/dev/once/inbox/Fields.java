package dev.once.inbox;

import java.util.List;
import java.util.Optional;

/**
 * Where a custom provider's events have their facts, by JSON Pointers (RFC 6901). An immutable
 * value; every fact is optional:
 *
 * <pre>{@code
 * Fields.none().withId("/event/id").withType("/event/type")
 *     .withOrder("/parcel/id", "/parcel/state", "packed", "sent", "arrived")
 * }</pre>
 */
public final class Fields {
  private static final Fields NONE =
      new Fields(FieldSource.nowhere(), FieldSource.nowhere(), FieldSource.nowhere(), Optional.empty());

  private final FieldSource id;
  private final FieldSource type;
  private final FieldSource account;
  private final Optional<StateOrder> order;

  private Fields(FieldSource id, FieldSource type, FieldSource account, Optional<StateOrder> order) {
    this.id = id;
    this.type = type;
    this.account = account;
    this.order = order;
  }

  /** Events of which nothing is known: told apart by signature, timestamp and content. */
  public static Fields none() {
    return NONE;
  }

  /** The same, with the id there. An event without it is told apart as if it were not declared. */
  public Fields withId(String pointer) {
    return new Fields(at(pointer), type, account, order);
  }

  /** The same, with the type there; {@code event} if it is missing. */
  public Fields withType(String pointer) {
    return new Fields(id, at(pointer), account, order);
  }

  /** The same, with the account there, for {@link Provider#withTenants}. */
  public Fields withAccount(String pointer) {
    return new Fields(id, type, at(pointer), order);
  }

  /**
   * The same, for events that may overtake each other: of two about one object, the one with the
   * later state counts.
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
