package dev.once.claims;

import dev.once.Headers;
import dev.once.Headers.Header;
import dev.once.Outcome;
import dev.once.Payload;
import dev.once.internal.Limits;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * An outcome as JSON. A payload is bytes, so it is Base64 in every answer: a replay has the bytes
 * that were recorded, whichever language or surface of Once recorded them.
 */
final class OutcomeJson {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private OutcomeJson() {}

  /**
   * Reads an outcome.
   *
   * @throws IllegalArgumentException if a member is not accepted
   * @throws ProblemException if the payload is larger than {@code maxPayloadBytes}
   */
  static Outcome read(Members outcome, int maxPayloadBytes) {
    boolean failed = outcome.findFlag("failed").orElse(false);
    long status = outcome.findNumber("status").orElse(0L);
    Limits.range("status", status, 0, Integer.MAX_VALUE);
    Headers headers = outcome.find("headers").map(OutcomeJson::headers).orElse(Headers.NONE);
    Payload payload = payload(outcome, maxPayloadBytes);
    outcome.end();
    return new Outcome(failed, (int) status, headers, payload);
  }

  static ObjectNode write(Outcome outcome) {
    ObjectNode json = JSON.objectNode();
    json.put("failed", outcome.failed());
    json.put("status", outcome.status());
    json.set("headers", write(outcome.headers()));
    if (outcome.payload() instanceof Payload.Bytes it) {
      json.put("payload", Base64.getEncoder().encodeToString(it.toArray()));
    } else if (outcome.payload() instanceof Payload.Dropped it) {
      json.put("dropped_bytes", it.size());
    }
    return json;
  }

  static ArrayNode write(Headers headers) {
    ArrayNode json = JSON.arrayNode();
    headers.list().forEach(it -> json.addObject().put("name", it.name()).put("value", it.value()));
    return json;
  }

  private static Payload payload(Members outcome, int maxPayloadBytes) {
    Optional<String> payload = outcome.findText("payload");
    Optional<Long> dropped = outcome.findNumber("dropped_bytes");
    if (payload.isPresent() && dropped.isPresent()) {
      throw new IllegalArgumentException(
          "outcome has payload and dropped_bytes: send the one that applies");
    }
    if (dropped.isPresent()) {
      Limits.range("dropped_bytes", dropped.get(), 0, Long.MAX_VALUE);
      return new Payload.Dropped(dropped.get());
    }
    return payload.map(it -> bytes(it, maxPayloadBytes)).orElse(Payload.NONE);
  }

  private static Payload bytes(String base64, int maxPayloadBytes) {
    byte[] bytes;
    try {
      bytes = Base64.getDecoder().decode(base64);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("outcome.payload must be Base64 (RFC 4648, section 4)", e);
    }
    if (bytes.length > maxPayloadBytes) {
      throw new ProblemException(
          Problem.BODY_TOO_LARGE,
          "the payload must have at most %d bytes, got %d: send its size as dropped_bytes"
              .formatted(maxPayloadBytes, bytes.length));
    }
    return Payload.of(bytes);
  }

  private static Headers headers(JsonNode json) {
    if (!(json instanceof ArrayNode array)) {
      throw new IllegalArgumentException("outcome.headers must be an array");
    }
    Limits.range("number of headers", array.size(), 0, Headers.MAX_HEADERS);
    List<Header> headers = new ArrayList<>();
    for (JsonNode element : array) {
      Members header = Members.of("outcome.headers[" + headers.size() + "]", element);
      headers.add(new Header(header.text("name"), header.text("value")));
      header.end();
    }
    return new Headers(headers);
  }
}
