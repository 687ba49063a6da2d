package dev.once.events;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CloudEventsTest {
  private static final String FOREIGN =
      """
      {"specversion":"1.0","id":"a-1","source":"/shop","type":"order.placed","subject":"17",
       "aggregatetype":"order","sequence":"0003","time":"2026-01-08T10:00:00+01:00",
       "traceparent":"00-1","urgent":true,"data":{"price":1.10}}
      """;

  @Test
  void anEventIsTheSameAfterTheWayThroughACloudEvent() {
    EventData content =
        EventData.of("e 1", new Aggregate("order", "Ä/1"), "order.placed", "{\"price\":1.10}")
            .withKind(EventKind.COMMAND)
            .withSource("/shop")
            .withMetadata(
                Map.of("traceparent", "00-1", "Correlation-Id", "c", "empty", "", "id", "x"));
    Event event = new Event(content, 7, Instant.parse("2026-01-08T10:00:00.000001Z"));

    Event read = CloudEvents.fromJson(CloudEvents.toJson(event));

    assertThat(read.content().metadata()).isEqualTo(content.metadata());
    assertThat(read.content().fingerprint()).isEqualTo(content.fingerprint());
    assertThat(read.content().data()).asString(UTF_8).isEqualTo("{\"price\":1.10}");
    assertThat(read.content().source()).isEqualTo("/shop");
    assertThat(read).hasToString(event.toString());
    assertThat(read.time()).isEqualTo(event.time());
  }

  @Test
  void dataThatIsNoJsonIsTheSameAfterTheWayThroughACloudEvent() {
    byte[] data = {0, 1, -1};
    EventData content =
        EventData.of("e", new Aggregate("order", "1"), "order.scanned", "{}")
            .withData("image/png", data);

    Event read = CloudEvents.fromJson(CloudEvents.toJson(new Event(content, 1, Instant.EPOCH)));

    assertThat(read.content().data()).isEqualTo(data);
    assertThat(read.content().contentType()).isEqualTo("image/png");
  }

  @Test
  void readsTheEventOfAnotherProducer() {
    Event event = CloudEvents.fromJson(FOREIGN.getBytes(UTF_8));

    assertThat(event.id()).isEqualTo("a-1");
    assertThat(event.aggregate()).isEqualTo(new Aggregate("order", "17"));
    assertThat(event.sequence()).isEqualTo(3);
    assertThat(event.time()).isEqualTo(Instant.parse("2026-01-08T09:00:00Z"));
    assertThat(event.content().kind()).isEqualTo(EventKind.EVENT);
    assertThat(event.content().metadata())
        .isEqualTo(Map.of("traceparent", "00-1", "urgent", "true"));
    assertThat(event.content().data()).asString(UTF_8).isEqualTo("{\"price\":1.10}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "specversion",
        "id",
        "source",
        "type",
        "subject",
        "aggregatetype",
        "sequence",
        "time"
      })
  void namesTheAttributeThatIsMissing(String attribute) {
    String without = FOREIGN.replaceFirst("\"" + attribute + "\":\"[^\"]*\",", "");

    assertThatThrownBy(() -> CloudEvents.fromJson(without.getBytes(UTF_8)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("attribute " + attribute);
  }

  @ParameterizedTest
  @CsvSource({
    "specversion, 1.0, 2.0",
    "sequence, 0003, three",
    "time, 2026-01-08T10:00:00+01:00, yesterday"
  })
  void namesTheAttributeThatIsWrong(String attribute, String right, String wrong) {
    assertThatThrownBy(() -> CloudEvents.fromJson(FOREIGN.replace(right, wrong).getBytes(UTF_8)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("attribute " + attribute);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "[]", "{", "{\"id\":{}}", "{\"id\":\"a\",\"id\":\"b\"}"})
  void refusesWhatIsNoCloudEvent(String json) {
    assertThatThrownBy(() -> CloudEvents.fromJson(json.getBytes(UTF_8)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
