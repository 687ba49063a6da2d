package dev.once.console;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.once.Headers;
import dev.once.Outcome;
import dev.once.Payload;
import dev.once.json.JsonRefusedException;
import dev.once.json.Redactor;
import java.util.List;
import java.util.Optional;

/** What a user sees of an outcome. */
record PayloadText(PayloadView view) {
  /** More is not shown: a page is no place to read it. */
  private static final int MAX_SHOWN_BYTES = 64 * 1024;

  private static final String MASKED = "[masked]";

  Json of(Outcome outcome) {
    Json json =
        new Json()
            .put("failed", outcome.failed())
            .put("status", outcome.status())
            .putText("payload_bytes", outcome.payload().size())
            .put("payload_kept", !(outcome.payload() instanceof Payload.Dropped))
            .put("payload_view", view.word())
            .putAll("headers", outcome.headers().list(), this::header);
    if (outcome.payload() instanceof Payload.Bytes bytes) {
      json.putIfPresent("payload", body(bytes.toArray()));
    }
    return json;
  }

  /** Shows the ids of a request: they are not secret, but may come from outside. */
  static List<Headers.Header> list(Headers headers) {
    return headers.list();
  }

  /** Returns the message of a failure, which may quote what was processed. */
  Optional<String> message(String text) {
    return switch (view) {
      case HIDDEN -> Optional.empty();
      case MASKED -> Optional.of(Redactor.maskPhones(text));
      case FULL -> Optional.of(text);
    };
  }

  private Json header(Headers.Header it) {
    Json json = new Json().put("name", it.name());
    return switch (view) {
      case HIDDEN -> json;
      case MASKED ->
          json.put(
              "value",
              Redactor.standard().isSensitive(it.name())
                  ? MASKED
                  : Redactor.maskPhones(it.value()));
      case FULL -> json.put("value", it.value());
    };
  }

  /** Returns the body as text; empty if it is not shown. */
  Optional<String> body(byte[] bytes) {
    if (bytes.length > MAX_SHOWN_BYTES) {
      return Optional.empty();
    }
    return switch (view) {
      case HIDDEN -> Optional.empty();
      case MASKED -> masked(bytes);
      case FULL -> Optional.of(new String(bytes, UTF_8));
    };
  }

  private static Optional<String> masked(byte[] bytes) {
    try {
      return Optional.of(new String(Redactor.standard().json(bytes), UTF_8));
    } catch (JsonRefusedException e) {
      return Optional.empty(); // Not JSON: what is secret in it cannot be told.
    }
  }
}
