package dev.once.examples.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.events.Event;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Events reach the topic in another order than that of their sequences. */
class ShuffledEventsAcceptanceTest {
  private static final PipelineStage STAGE = PipelineStage.shared();
  private static final int LAST = 6;
  private static final long SEED = 20_260_108;

  @AfterAll
  static void theReadModelIsAFoldOverTheEvents() throws Exception {
    STAGE.requireReadModelIsFold();
  }

  @Test
  void ignoresEventsThatComeAfterALaterOne() throws Exception {
    String id = "overtaken";
    STAGE.topics().publish(List.of(PipelineStage.event(id, LAST)));
    STAGE.awaitConsumed(id, LAST);

    STAGE.topics().publish(shuffled(id, new Random(SEED)));
    STAGE.awaitConsumed(id, 1);

    assertThat(STAGE.sinks().graphChanges(id)).containsExactly((long) LAST);
    assertThat(STAGE.sinks().nodeChanges(id)).containsExactly((long) LAST);
    assertThatTheLastEventRules(id);
    for (Role role : PipelineStage.WORKERS) {
      assertThat(STAGE.registry().find(role.text(), PipelineStage.eventId(id, 1))).isEmpty();
    }
  }

  @Test
  void endsWithTheStateOfTheLastEventInAnyOrder() throws Exception {
    Random random = new Random(SEED);
    List<String> ids = IntStream.range(0, 8).mapToObj(i -> "shuffled " + i).toList();
    List<Event> events = new ArrayList<>();
    ids.forEach(id -> events.addAll(shuffled(id, random)));
    Collections.shuffle(events, random);

    STAGE.topics().publish(events);
    Event last = events.get(events.size() - 1);
    STAGE.awaitConsumed(last.aggregate().id(), last.sequence());

    for (String id : ids) {
      assertThat(STAGE.sinks().graphChanges(id)).isSorted().doesNotHaveDuplicates();
      assertThat(STAGE.sinks().nodeChanges(id)).isSorted().doesNotHaveDuplicates();
      assertThatTheLastEventRules(id);
    }
  }

  /** Returns all events of an instance in any order, some of them twice. */
  private static List<Event> shuffled(String id, Random random) {
    List<Event> events = new ArrayList<>();
    LongStream.rangeClosed(1, LAST).forEach(it -> events.add(PipelineStage.event(id, it)));
    events.addAll(List.of(events.get(random.nextInt(LAST)), events.get(random.nextInt(LAST))));
    Collections.shuffle(events, random);
    return events;
  }

  private static void assertThatTheLastEventRules(String id) throws Exception {
    assertThat(STAGE.sinks().graphDocument(id).path(State.NAME).asString())
        .isEqualTo("name " + LAST);
    assertThat(STAGE.sinks().nodeName(id)).isEqualTo("name " + LAST);
    assertThat(STAGE.sinks().searchVersion(id)).isEqualTo(LAST);
    assertThat(STAGE.sinks().searchDocument(id).at("/_source/name").asString())
        .isEqualTo("name " + LAST);
    for (Role role : PipelineStage.WORKERS) {
      assertThat(STAGE.lastSequence(role, id)).as("%s", role).isEqualTo(LAST);
    }
  }
}
