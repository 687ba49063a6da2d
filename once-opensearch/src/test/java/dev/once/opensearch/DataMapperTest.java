package dev.once.opensearch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.once.events.Aggregate;
import dev.once.events.Event;
import dev.once.events.EventData;
import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The document of an aggregate is the data of its last event. */
class DataMapperTest {
  private static final String DATA = "{\"name\": \"p\u00fcmp\"}";

  private final DocumentMapper mapper =
      DocumentMapper.ofData("instance", Set.of("instance.deleted", "instance.merged"));

  @Test
  void theDocumentIsTheDataOfTheEvent() {
    assertThat(map("instance", "instance.created")).isEqualTo(DocumentChange.put(DATA));
    assertThat(map("instance", "instance.anything")).isEqualTo(DocumentChange.put(DATA));
  }

  @Test
  void chosenTypesDeleteTheDocument() {
    assertThat(map("instance", "instance.deleted")).isEqualTo(DocumentChange.delete());
    assertThat(map("instance", "instance.merged")).isEqualTo(DocumentChange.delete());
  }

  @Test
  void eventsOfOtherAggregatesChangeNothing() {
    assertThat(map("Instance", "instance.created")).isEqualTo(DocumentChange.none());
    assertThat(map("ontology", "instance.deleted")).isEqualTo(DocumentChange.none());
  }

  @Test
  void needsAnAggregateType() {
    assertThatThrownBy(() -> DocumentMapper.ofData("", Set.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("aggregate type");
  }

  private DocumentChange map(String aggregateType, String type) {
    Aggregate aggregate = new Aggregate(aggregateType, "a");
    return mapper.map(new Event(EventData.of("e", aggregate, type, DATA), 1, Instant.EPOCH));
  }
}
