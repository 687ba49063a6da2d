package dev.once.inbox;

import dev.once.Fingerprint;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;

/**
 * Reads deliveries that have one event as their whole body, as JSON or as a form.
 *
 * @param id identifies the event; a delivery without it is refused as malformed
 * @param type the kind of event
 * @param account the account that the event is for
 * @param order the state that the event reports for its object
 * @param volatileMembers the members that may differ when the same event is sent again
 * @param signedOnly if the id is not signed: what identifies events together with their content
 */
record EventItems(
    FieldSource id,
    FieldSource type,
    FieldSource account,
    Optional<StateOrder> order,
    List<JsonPointer> volatileMembers,
    Optional<FieldSource> signedOnly)
    implements Extraction {
  private static final String EVENT = "event";
  private static final String CONTENT = "content/";
  private static final Pattern TYPE = Pattern.compile("[!-~]{1,128}");

  EventItems {
    id = id.usable(ItemId.MAX_CHARS);
    account = account.usable(ItemId.MAX_ACCOUNT_CHARS);
    volatileMembers = List.copyOf(volatileMembers);
  }

  EventItems(FieldSource id, FieldSource type, FieldSource account, Optional<StateOrder> order) {
    this(id, type, account, order, List.of(), Optional.empty());
  }

  EventItems withVolatile(List<JsonPointer> members) {
    return new EventItems(id, type, account, order, members, signedOnly);
  }

  /** Returns the same rules for events whose id any client can change. */
  EventItems withUnsignedId(FieldSource beside) {
    return new EventItems(id, type, account, order, volatileMembers, Optional.of(beside));
  }

  @Override
  public List<Item> items(Delivery delivery) {
    byte[] body = FormFields.asJson(delivery).body();
    JsonNode json = StrictJson.parse(body);
    Fingerprint fingerprint =
        StrictJson.fingerprint(StrictJson.without(volatileMembers, json).orElse(body));
    Item item =
        new Item(
            type.in(delivery, json).map(EventItems::typeOf).orElse(EVENT),
            id.in(delivery, json)
                .orElseThrow(() -> new DeliveryRejectedException(RejectionReason.MALFORMED)),
            account.in(delivery, json).orElse(""),
            fingerprint,
            order.flatMap(it -> it.rank(delivery, json)),
            body);
    return List.of(item.withSignedKey(signedOnly.map(it -> key(it, delivery, json, body))));
  }

  private static String key(FieldSource beside, Delivery delivery, JsonNode json, byte[] body) {
    String more = beside.in(delivery, json).orElse("");
    return CONTENT + StrictJson.fingerprint(body, more).digest();
  }

  /** Returns the text if it is a valid type, and otherwise {@link Item#UNKNOWN}. */
  static String typeOf(String text) {
    return TYPE.matcher(text).matches() ? text : Item.UNKNOWN;
  }
}
