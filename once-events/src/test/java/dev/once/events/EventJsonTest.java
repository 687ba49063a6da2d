package dev.once.events;

import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.once.events.internal.EventJson;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EventJsonTest {
  private static final Instant TIME = Instant.parse("2026-01-02T03:04:05.000006Z");

  @Test
  void jsonIsAMemberWithItsNumbersAsTheyAre() {
    String json = "{\"a\":[1.10,12345678901234567890123,1e400,null,true],\"b\":{\"ü\":\"\\n\"}}";

    String envelope = new String(EventJson.write(event(json.getBytes(UTF_8))), UTF_8);

    assertThat(envelope)
        .contains("\"data\":{\"a\":[1.10,12345678901234567890123,1E+400,null,true],")
        .contains("\"occurred_at\":\"2026-01-02T03:04:05.000006Z\"")
        .contains("\"metadata\":{\"kind\":\"event\"}");
    assertThat(EventJson.read(envelope.getBytes(UTF_8)).content().fingerprint())
        .isEqualTo(event(json.getBytes(UTF_8)).content().fingerprint());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", " ", "{", "{} {}", "{\"a\":1,\"a\":2}", "[1,]", "\u0000", "{\"a\":\"\n\"}"})
  void whatClaimsToBeJsonAndIsNotIsKeptAsBytes(String data) {
    requireSameBytes(data.getBytes(UTF_8));
  }

  @Test
  void jsonThatIsTooDeepForAnEnvelopeIsKeptAsBytes() {
    for (int depth = 498; depth <= 502; depth++) {
      requireSameBytes(("[".repeat(depth) + "]".repeat(depth)).getBytes(UTF_8));
    }
  }

  @Test
  void textThatIsNoUtf8IsKeptAsBytes() {
    requireSameBytes(new byte[] {'"', (byte) 0xff, '"'});
  }

  @Test
  void jsonInAnotherEncodingIsWrittenInUtf8() {
    Event event = event("{\"a\":\"ü\"}".getBytes(UTF_16BE));

    Event read = EventJson.read(EventJson.write(event));

    assertThat(new String(read.content().data(), UTF_8)).isEqualTo("{\"a\":\"ü\"}");
  }

  @Test
  void metadataCannotReplaceTheKind() {
    Event event = event("{}".getBytes(UTF_8));
    EventData named =
        event.content().withKind(EventKind.COMMAND).withMetadata(Map.of("kind", "x", "a", "b"));

    Event read = EventJson.read(EventJson.write(new Event(named, 1, TIME)));

    assertThat(read.content().kind()).isEqualTo(EventKind.COMMAND);
    assertThat(read.content().metadata()).containsExactly(Map.entry("a", "b"));
  }

  private static void requireSameBytes(byte[] data) {
    assertThat(EventJson.read(EventJson.write(event(data))).content().data()).isEqualTo(data);
  }

  private static Event event(byte[] data) {
    return new Event(
        EventData.of("event-1", new Aggregate("order", "1"), "order.changed", data), 1, TIME);
  }
}
