package dev.once.examples.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.events.Event;
import dev.once.events.EventData;
import dev.once.events.ProcessedEvent;
import dev.once.events.ProcessedState;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** An event of a type that the pipeline does not know comes before one that it knows. */
class UnknownEventAcceptanceTest {
  private static final PipelineStage STAGE = PipelineStage.shared();

  @AfterAll
  static void theReadModelIsAFoldOverTheEvents() throws Exception {
    STAGE.requireReadModelIsFold();
  }

  @Test
  void isGivenUpAtOnceWithItsReasonAndBlocksNothing() throws Exception {
    String id = "unknown";
    Event unknown = renamed(PipelineStage.event(id, 1));
    STAGE.topics().publish(List.of(unknown, PipelineStage.event(id, 2)));
    STAGE.awaitConsumed(id, 2);

    assertThatItIsGivenUp(Role.INSTANCE_WORKER, unknown, ProcessedState.SKIPPED);
    assertThatItIsGivenUp(Role.ONTOLOGY_WORKER, unknown, ProcessedState.SKIPPED);
    assertThatItIsGivenUp(Role.PROJECTION_WORKER, unknown, ProcessedState.DEAD);
    assertThat(STAGE.sinks().graphChanges(id)).containsExactly(2L);
    assertThat(STAGE.sinks().nodeChanges(id)).containsExactly(2L);
    assertThat(STAGE.sinks().searchVersion(id)).isEqualTo(2);
    var letters =
        STAGE.topics().records(Topics.PROJECTION_DEAD_LETTERS).stream()
            .filter(it -> TopicView.header(it, "ce_id").equals(unknown.id()))
            .toList();
    assertThat(letters).hasSize(1);
    assertThat(TopicView.header(letters.get(0), "ce_type")).isEqualTo("instance.renamed");
    assertThat(TopicView.header(letters.get(0), "once_reason")).contains("instance.renamed");
  }

  private static Event renamed(Event event) {
    EventData data =
        EventData.of(event.id(), event.aggregate(), "instance.renamed", event.content().data());
    return new Event(data.withKind(event.content().kind()), event.sequence(), event.time());
  }

  private static void assertThatItIsGivenUp(Role role, Event event, ProcessedState state) {
    ProcessedEvent processed = STAGE.processed(role, event.id());
    assertThat(processed.state()).as("%s", role).isEqualTo(state);
    assertThat(processed.attempts()).as("%s", role).isEqualTo(1);
    assertThat(processed.error().orElse("")).as("%s", role).contains("instance.renamed");
  }
}
