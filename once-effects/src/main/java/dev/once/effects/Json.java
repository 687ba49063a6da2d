package dev.once.effects;

import dev.once.events.UnprocessableEventException;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Reads and writes JSON without loss of digits. Failures do not quote it. */
final class Json {
  static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private Json() {}

  /** Returns an object; empty if the text is something else. */
  static Optional<ObjectNode> object(String json) {
    try {
      return MAPPER.readTree(json) instanceof ObjectNode it ? Optional.of(it) : Optional.empty();
    } catch (JacksonException e) {
      return Optional.empty();
    }
  }

  /** Returns the document of an event. */
  static ObjectNode documentOf(String json) {
    return object(json)
        .orElseThrow(() -> new UnprocessableEventException("its document is not a JSON object"));
  }
}
