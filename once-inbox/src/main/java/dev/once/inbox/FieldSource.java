package dev.once.inbox;

import java.util.Optional;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;

/** Where a delivery has one of its facts. */
@FunctionalInterface
interface FieldSource {
  /** The fact; empty if the delivery does not tell it. */
  Optional<String> in(Delivery delivery, JsonNode json);

  static FieldSource header(String name) {
    return (delivery, json) -> delivery.header(name);
  }

  /** A string or a whole number in the body. */
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

  /** The same, as far as it can be an id. */
  default FieldSource usable(int maxChars) {
    return (delivery, json) -> in(delivery, json).filter(it -> ItemId.isUsable(it, maxChars));
  }

  static Optional<String> text(JsonNode node) {
    boolean isText = node.isString() || node.isIntegralNumber();
    return isText ? Optional.of(node.asString()) : Optional.empty();
  }
}
