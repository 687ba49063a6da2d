package dev.once.inbox;

import dev.once.Fingerprint;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/**
 * Reads deliveries that have one event as their whole body.
 *
 * @param id identifies the event; a delivery without it is refused as malformed
 * @param type the kind of event
 * @param account the account that the event is for
 * @param order the state that the event reports for its object
 */
record EventItems(FieldSource id, FieldSource type, FieldSource account, Optional<StateOrder> order)
    implements Extraction {
  private static final String EVENT = "event";
  private static final Pattern TYPE = Pattern.compile("[!-~]{1,128}");

  EventItems {
    id = id.usable(ItemId.MAX_CHARS);
    account = account.usable(ItemId.MAX_ACCOUNT_CHARS);
  }

  @Override
  public List<Item> items(Delivery delivery) {
    JsonNode json = StrictJson.parse(delivery.body());
    Fingerprint fingerprint = StrictJson.fingerprint(delivery.body());
    Item item =
        new Item(
            type.in(delivery, json).map(EventItems::typeOf).orElse(EVENT),
            id.in(delivery, json)
                .orElseThrow(() -> new DeliveryRejectedException(RejectionReason.MALFORMED)),
            account.in(delivery, json).orElse(""),
            fingerprint,
            order.flatMap(it -> it.rank(delivery, json)),
            delivery.body());
    return List.of(item);
  }

  /** Returns the text if it is a valid type, and otherwise {@link Item#UNKNOWN}. */
  static String typeOf(String text) {
    return TYPE.matcher(text).matches() ? text : Item.UNKNOWN;
  }
}
