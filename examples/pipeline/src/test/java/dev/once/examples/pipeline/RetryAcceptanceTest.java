package dev.once.examples.pipeline;

import static dev.once.examples.pipeline.PipelineStage.eventId;
import static org.assertj.core.api.Assertions.assertThat;

import dev.once.events.Event;
import dev.once.events.ProcessedEvent;
import dev.once.events.ProcessedState;
import dev.once.events.internal.EventJson;
import dev.once.examples.pipeline.FaultProxy.Step;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Sinks refuse an event for a while, and another one in each of its attempts. Back-off takes most
 * of the time, so both events are sent before the tests.
 */
class RetryAcceptanceTest {
  private static final PipelineStage STAGE = PipelineStage.shared();
  private static final int ATTEMPTS = 5;
  private static final int REFUSALS = 2;
  private static final String REFUSED = "refused for a while";
  private static final String POISON = "poison";

  /** When instance_worker has read the document of the refused event, to write it then. */
  private static final List<Long> attemptNanos = new CopyOnWriteArrayList<>();

  private static volatile boolean isPoisonRefused = true;

  @BeforeAll
  static void send() throws Exception {
    STAGE.worker(Role.INSTANCE_WORKER).graph().rule(RetryAcceptanceTest::graph);
    STAGE.worker(Role.PROJECTION_WORKER).search().rule(RetryAcceptanceTest::search);
    // PostgreSQL stores no text with this character: the other worker refuses it by nature.
    var state = PipelineStage.state(POISON, 1).put(State.NAME, "poison \0");
    STAGE.commands().create(Kind.INSTANCE, eventId(POISON, 1), state);
    STAGE.create(REFUSED);
    STAGE.update(REFUSED, 2);
  }

  @AfterAll
  static void heal() throws Exception {
    STAGE.worker(Role.INSTANCE_WORKER).graph().forwardAll();
    STAGE.worker(Role.PROJECTION_WORKER).search().forwardAll();
    STAGE.requireReadModelIsFold();
  }

  private static Step graph(String request) {
    if (reads(request, REFUSED) && attemptNanos.size() <= REFUSALS) {
      attemptNanos.add(System.nanoTime());
      return attemptNanos.size() <= REFUSALS ? Step.ANSWER_503 : Step.FORWARD;
    }
    return isPoisonRefused && reads(request, POISON) ? Step.ANSWER_503 : Step.FORWARD;
  }

  private static boolean reads(String request, String id) {
    String document = STAGE.sinks().documentId(id);
    return request.startsWith("GET ")
        && request.contains(URLEncoder.encode(document, StandardCharsets.UTF_8));
  }

  private static Step search(String request) {
    return isPoisonRefused && request.contains(POISON) ? Step.ANSWER_403 : Step.FORWARD;
  }

  @Test
  void retriesAfterLongerAndLongerPausesUntilTheSinkAccepts() throws Exception {
    STAGE.awaitState(Role.INSTANCE_WORKER, eventId(REFUSED, 2), ProcessedState.DONE);

    ProcessedEvent event = STAGE.processed(Role.INSTANCE_WORKER, eventId(REFUSED, 1));
    assertThat(event.state()).isEqualTo(ProcessedState.DONE);
    assertThat(event.attempts()).isEqualTo(REFUSALS + 1);
    assertThat(pause(1)).isGreaterThanOrEqualTo(Duration.ofSeconds(1));
    assertThat(pause(2)).isGreaterThanOrEqualTo(Duration.ofSeconds(2));
    assertThat(STAGE.sinks().graphChanges(REFUSED)).containsExactly(1L, 2L);
  }

  private static Duration pause(int attempt) {
    return Duration.ofNanos(attemptNanos.get(attempt) - attemptNanos.get(attempt - 1));
  }

  @Test
  void givesAPoisonEventUpAfterFiveAttemptsAndHandlesItWhenItIsRedriven() throws Exception {
    String eventId = eventId(POISON, 1);
    assertThatItIsGivenUp(Role.INSTANCE_WORKER, eventId, ProcessedState.SKIPPED, "503");
    assertThatItIsGivenUp(Role.ONTOLOGY_WORKER, eventId, ProcessedState.SKIPPED, "0x00");
    assertThatItIsGivenUp(Role.PROJECTION_WORKER, eventId, ProcessedState.DEAD, "403");
    assertThat(STAGE.sinks().graphChanges(POISON)).isEmpty();
    assertThat(STAGE.sinks().searchVersion(POISON)).isZero();

    isPoisonRefused = false;
    Event letter = EventJson.read(deadLetter(eventId).value());
    assertThat(STAGE.registry().redrive(Role.INSTANCE_WORKER.text(), eventId)).isTrue();
    assertThat(STAGE.registry().redrive(Role.PROJECTION_WORKER.text(), eventId)).isTrue();
    STAGE.topics().publish(List.of(letter));
    STAGE.awaitConsumed(POISON, 1);

    assertThatItIsDone(Role.INSTANCE_WORKER, eventId);
    assertThatItIsDone(Role.PROJECTION_WORKER, eventId);
    assertThat(STAGE.sinks().graphChanges(POISON)).containsExactly(1L);
    assertThat(STAGE.sinks().searchVersion(POISON)).isEqualTo(1);
    assertThat(STAGE.processed(Role.ONTOLOGY_WORKER, eventId).state())
        .isEqualTo(ProcessedState.SKIPPED);
    assertThat(STAGE.sinks().nodeChanges(POISON)).isEmpty();
  }

  private static void assertThatItIsGivenUp(
      Role role, String eventId, ProcessedState state, String reason) throws Exception {
    STAGE.awaitState(role, eventId, state);
    ProcessedEvent event = STAGE.processed(role, eventId);
    assertThat(event.attempts()).as("%s", role).isEqualTo(ATTEMPTS);
    assertThat(event.error().orElse("")).as("%s", role).contains(reason);
    assertThat(STAGE.lastSequence(role, POISON)).as("%s", role).isEqualTo(1);
  }

  private static void assertThatItIsDone(Role role, String eventId) {
    ProcessedEvent event = STAGE.processed(role, eventId);
    assertThat(event.state()).as("%s", role).isEqualTo(ProcessedState.DONE);
    assertThat(event.attempts()).as("%s", role).isEqualTo(1);
  }

  /** Returns the only dead letter, after a look at its headers. */
  private static ConsumerRecord<byte[], byte[]> deadLetter(String eventId) {
    var letters =
        STAGE.topics().records(Topics.PROJECTION_DEAD_LETTERS).stream()
            .filter(it -> TopicView.header(it, "ce_id").equals(eventId))
            .toList();
    assertThat(letters).hasSize(1);
    var letter = letters.get(0);
    assertThat(TopicView.header(letter, "once_handler")).isEqualTo("projection_worker");
    assertThat(TopicView.header(letter, "once_reason")).contains("403");
    assertThat(TopicView.header(letter, "once_attempts")).isEqualTo("5");
    assertThat(TopicView.header(letter, "ce_type")).isEqualTo(Kind.INSTANCE.created());
    assertThat(TopicView.header(letter, "ce_sequence")).isEqualTo("1");
    assertThat(TopicView.header(letter, "ce_kind")).isEqualTo("command");
    return letter;
  }
}
