package dev.once.inbox;

import java.util.Optional;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;

/** Locates one field of a delivery. */
@FunctionalInterface
interface FieldSource {
  /** Returns the field's value; empty if the delivery does not have it. */
  Optional<String> in(Delivery delivery, JsonNode json);

  static FieldSource header(String name) {
    return (delivery, json) -> delivery.header(name);
  }

  /** Locates a string or a whole number in the body. */
  static FieldSource at(String pointer) {
    JsonPointer at = JsonPointer.compile(pointer);
    return (delivery, json) -> text(json.at(at));
  }

  static FieldSource nowhere() {
    return (delivery, json) -> Optional.empty();
  }

  default FieldSource or(FieldSource other) {
    return (delivery, json) -> in(delivery, json).or(() -> other.in(delivery, json));
  }

  /** Returns the same source, limited to values that can be an id. */
  default FieldSource usable(int maxChars) {
    return (delivery, json) -> in(delivery, json).filter(it -> ItemId.isUsable(it, maxChars));
  }

  static Optional<String> text(JsonNode node) {
    boolean isText = node.isString() || node.isIntegralNumber();
    return isText ? Optional.of(node.asString()) : Optional.empty();
  }
}
