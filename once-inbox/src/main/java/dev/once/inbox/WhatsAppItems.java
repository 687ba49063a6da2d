package dev.once.inbox;

import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * Splits deliveries of the WhatsApp Cloud API into items. A delivery has up to a thousand items, of
 * several phone numbers. An item that cannot be read becomes an item of type {@code unknown}: if it
 * failed the delivery, Meta would send all of them again for seven days.
 */
final class WhatsAppItems implements Extraction {
  private static final String OBJECT = "whatsapp_business_account";

  @Override
  public List<Item> items(Delivery delivery) {
    JsonNode root = StrictJson.parse(delivery.body());
    JsonNode entries = root.path("entry");
    if (!root.path("object").stringValue("").equals(OBJECT) || !entries.isArray()) {
      return List.of(DigestedItem.unknown("", root));
    }
    List<Item> items = new ArrayList<>();
    entries.forEach(entry -> addTo(items, entry));
    return items;
  }

  private static void addTo(List<Item> items, JsonNode entry) {
    JsonNode changes = entry.path("changes");
    if (!changes.isArray()) {
      items.add(DigestedItem.unknown("", entry));
      return;
    }
    changes.forEach(change -> items.addAll(new WhatsAppChange(entry, change).items()));
  }
}
