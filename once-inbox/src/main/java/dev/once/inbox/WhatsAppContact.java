package dev.once.inbox;

import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** Finds who has sent a message. */
final class WhatsAppContact {
  private WhatsAppContact() {}

  /** The sender among {@code contacts}; empty if nobody there can be the one. */
  static Optional<JsonNode> of(JsonNode message, JsonNode contacts) {
    for (JsonNode contact : contacts) {
      if (isEqual(contact.path("wa_id"), message.path("from"))
          || isEqual(contact.path("user_id"), message.path("from_user_id"))) {
        return Optional.of(contact);
      }
    }
    // In some countries a number is written in two ways, and wa_id and from are not the same.
    return contacts.isArray() && contacts.size() == 1
        ? Optional.of(contacts.path(0))
        : Optional.empty();
  }

  private static boolean isEqual(JsonNode one, JsonNode other) {
    return one.isString() && one.equals(other);
  }
}
