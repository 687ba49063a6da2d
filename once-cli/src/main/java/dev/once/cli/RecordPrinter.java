package dev.once.cli;

import dev.once.Headers;
import dev.once.Key;
import dev.once.Outcome;
import dev.once.Payload;
import dev.once.spi.RecordEntry;
import dev.once.spi.RecordView;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;
import java.util.stream.Collectors;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Prints records, one line each. Values of headers and payloads are printed only when asked for.
 */
record RecordPrinter(Session session, Output output) {
  void print(RecordEntry it) {
    output.print(
        session,
        () ->
            "%s state=%s attempts=%d created=%s expires=%s"
                .formatted(
                    text(it.key()),
                    it.state().word(),
                    it.attempts(),
                    it.createdAt(),
                    it.expiresAt()),
        () ->
            keyOf(it.key())
                .put("state", it.state().word())
                .put("attempts", it.attempts())
                .put("created_at", it.createdAt())
                .put("expires_at", it.expiresAt()));
  }

  void print(RecordView it) {
    output.print(session, () -> text(it), () -> json(it));
  }

  /** Prints what a record answers, headers and payload included. */
  void printPayload(Outcome it) {
    output.print(session, () -> payloadText(it), () -> payloadJson(it));
  }

  static String text(Key it) {
    return "tenant=%s scope=%s key=%s"
        .formatted(
            Text.printable(it.tenant()), Text.printable(it.scope()), Text.printable(it.value()));
  }

  static String text(RecordView it) {
    return "%s state=%s fence=%d attempts=%d recovery=%s created=%s lease-until=%s expires=%s correlation=%s outcome=%s"
        .formatted(
            text(it.key()),
            it.state().word(),
            it.fence(),
            it.attempts(),
            it.recovery().name().toLowerCase(Locale.ROOT),
            it.createdAt(),
            it.leaseUntil(),
            it.expiresAt(),
            values(it.correlation()),
            it.outcome().map(RecordPrinter::text).orElse("-"));
  }

  private static String text(Outcome it) {
    return "status:%d,bytes:%d,kept:%s"
        .formatted(it.status(), it.payload().size(), isKept(it.payload()));
  }

  private static String values(Headers headers) {
    return headers.list().isEmpty()
        ? "-"
        : headers.list().stream()
            .map(it -> Text.printable(it.name() + ":" + it.value()))
            .collect(Collectors.joining(","));
  }

  static JsonLine keyOf(Key it) {
    return new JsonLine()
        .put("tenant", it.tenant())
        .put("scope", it.scope())
        .put("key", it.value())
        .put("key_hash", it.shortHash());
  }

  static JsonLine json(RecordView it) {
    JsonLine line =
        keyOf(it.key())
            .put("state", it.state().word())
            // A string: it has more digits than a number of JavaScript keeps.
            .put("fence", Long.toString(it.fence()))
            .put("attempts", it.attempts())
            .put("recovery", it.recovery().name().toLowerCase(Locale.ROOT))
            .put("created_at", it.createdAt())
            .put("lease_until", it.leaseUntil())
            .put("expires_at", it.expiresAt())
            .put("correlation", object(it.correlation()));
    it.outcome().ifPresent(outcome -> line.put("outcome", json(outcome).node()));
    return line;
  }

  private static JsonLine json(Outcome it) {
    return new JsonLine()
        .put("failed", it.failed())
        .put("status", it.status())
        .put("headers", it.headers().list().stream().map(Headers.Header::name).toList())
        .put("payload_bytes", it.payload().size())
        .put("payload_kept", isKept(it.payload()));
  }

  private static String payloadText(Outcome it) {
    String headers =
        it.headers().list().stream()
            .map(header -> Text.printable(header.name() + ": " + header.value()) + "\n")
            .collect(Collectors.joining());
    return headers + "\n" + body(it.payload());
  }

  private static JsonLine payloadJson(Outcome it) {
    JsonLine line = new JsonLine().put("headers", object(it.headers()));
    if (it.payload() instanceof Payload.Bytes bytes) {
      line.put("payload_base64", Base64.getEncoder().encodeToString(bytes.toArray()));
    }
    return line;
  }

  private static ObjectNode object(Headers headers) {
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    headers.list().forEach(it -> object.put(it.name(), it.value()));
    return object;
  }

  private static String body(Payload payload) {
    return payload instanceof Payload.Bytes bytes
        ? Text.printable(new String(bytes.toArray(), StandardCharsets.UTF_8))
        : "";
  }

  private static boolean isKept(Payload payload) {
    return !(payload instanceof Payload.Dropped);
  }
}
