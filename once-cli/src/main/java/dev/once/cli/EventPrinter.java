package dev.once.cli;

import dev.once.events.Event;
import dev.once.events.EventData;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Prints an event in one line, without its data and metadata unless they are wanted: they may be
 * personal.
 */
record EventPrinter(Session session, OutputOption output, boolean withData) {
  void print(Event event) {
    output.print(session, () -> text(event), () -> json(event));
  }

  private String text(Event event) {
    EventData content = event.content();
    String line =
        "%s %s/%s sequence=%d kind=%s type=%s id=%s bytes=%d"
            .formatted(
                event.time(),
                Text.printable(event.aggregate().type()),
                Text.printable(event.aggregate().id()),
                event.sequence(),
                kind(content),
                Text.printable(content.type()),
                Text.printable(event.id()),
                content.data().length);
    return withData
        ? line + " metadata=" + metadata(content) + " data=" + Text.printable(data(content))
        : line;
  }

  JsonLine json(Event event) {
    EventData content = event.content();
    JsonLine line =
        new JsonLine()
            .put("id", event.id())
            .put("aggregate_type", event.aggregate().type())
            .put("aggregate_id", event.aggregate().id())
            .put("sequence", event.sequence())
            .put("time", event.time())
            .put("kind", kind(content))
            .put("type", content.type())
            .put("source", content.source())
            .put("content_type", content.contentType())
            .put("bytes", content.data().length);
    if (withData) {
      JsonLine metadata = new JsonLine();
      content.metadata().forEach(metadata::put);
      line.put("metadata", metadata.node());
      putData(line, content);
    }
    return line;
  }

  private static void putData(JsonLine line, EventData content) {
    if (content.isJson()) {
      try {
        line.putJson("data", content.data());
        return;
      } catch (JacksonException e) {
        // It claims to be JSON but is not: shown as bytes.
      }
    }
    line.put("data_base64", Base64.getEncoder().encodeToString(content.data()));
  }

  private static String kind(EventData content) {
    return content.kind().name().toLowerCase(Locale.ROOT);
  }

  private static String metadata(EventData content) {
    return Text.printable(new JsonMapper().writeValueAsString(content.metadata()));
  }

  private static String data(EventData content) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(content.data())).toString();
    } catch (CharacterCodingException e) {
      return "base64:" + Base64.getEncoder().encodeToString(content.data());
    }
  }
}
