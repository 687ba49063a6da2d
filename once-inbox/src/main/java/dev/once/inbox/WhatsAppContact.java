package dev.once.inbox;

import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** Finds the sender of a message. */
final class WhatsAppContact {
  private WhatsAppContact() {}

  /** Returns the sender among {@code contacts}; empty if no contact matches. */
  static Optional<JsonNode> of(JsonNode message, JsonNode contacts) {
    for (JsonNode contact : contacts) {
      if (isEqual(contact.path("wa_id"), message.path("from"))
          || isEqual(contact.path("user_id"), message.path("from_user_id"))) {
        return Optional.of(contact);
      }
    }
    // In some countries a number has two spellings, and wa_id and from differ.
    return contacts.isArray() && contacts.size() == 1
        ? Optional.of(contacts.path(0))
        : Optional.empty();
  }

  private static boolean isEqual(JsonNode one, JsonNode other) {
    return one.isString() && one.equals(other);
  }
}
