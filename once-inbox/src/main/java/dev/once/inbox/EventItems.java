package dev.once.inbox;

import dev.once.Fingerprint;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/**
 * Reads deliveries whose whole body is one event.
 *
 * @param id what tells the event apart; a delivery without it cannot be read
 * @param type what kind of event it is
 * @param account for whom it is meant
 * @param order how far it takes the object it is about
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
            id.in(delivery, json).orElseThrow(() -> new DeliveryRejectedException(RejectionReason.MALFORMED)),
            account.in(delivery, json).orElse(""),
            fingerprint,
            order.flatMap(it -> it.rank(delivery, json)),
            delivery.body());
    return List.of(item);
  }

  /** The type as it is, if it can be one. */
  static String typeOf(String text) {
    return TYPE.matcher(text).matches() ? text : Item.UNKNOWN;
  }
}
