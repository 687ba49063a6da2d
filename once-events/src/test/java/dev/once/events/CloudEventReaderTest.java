package dev.once.events;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.once.events.internal.CloudEventReader;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CloudEventReaderTest {
  private static final String FOREIGN =
      """
      {"specversion":"1.0","id":"a-1","source":"/shop","type":"order.placed","subject":"17",
       "aggregatetype":"order","sequence":"0003","time":"2026-01-08T10:00:00+01:00",
       "traceparent":"00-1","urgent":true,"data":{"price":1.10}}
      """;

  @Test
  void readsTheEventOfAnotherProducer() {
    Event event = read(FOREIGN.getBytes(UTF_8));

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

    assertThatThrownBy(() -> read(without.getBytes(UTF_8)))
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
    assertThatThrownBy(() -> read(FOREIGN.replace(right, wrong).getBytes(UTF_8)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("attribute " + attribute);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "[]", "{", "{\"id\":{}}", "{\"id\":\"a\",\"id\":\"b\"}"})
  void refusesWhatIsNoCloudEvent(String json) {
    assertThatThrownBy(() -> read(json.getBytes(UTF_8)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static Event read(byte[] json) {
    return CloudEventReader.readJson(json, null);
  }
}
