package dev.once.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.events.Event;
import dev.once.events.EventConsumer;
import dev.once.events.EventRetryPolicy;
import dev.once.events.ProcessedEvents;
import dev.once.events.ProcessedState;
import dev.once.kafka.DeadLetterTopic;
import dev.once.kafka.KafkaEventSource;
import dev.once.kafka.KafkaRedelivery;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Events that a handler gave up are handled after all. */
@ExtendWith(CliServers.class)
class RedriveCommandTest {
  private static final String HANDLER = "mail";

  private final CliDatabase database = new CliDatabase();
  private final ProcessedEvents registry =
      ProcessedEvents.builder(database.dataSource()).owner("node-1").build();
  private final String topic = "redrive-" + UUID.randomUUID();

  @TempDir Path folder;

  @Test
  void makesEventsClaimableAndPublishesThem() throws Exception {
    Event first = giveUp("e-1");
    giveUp("e-2");
    handle(database.append("e-3", "order.placed", "order", "e-3"));

    CliRun run = redrive("--skipped");

    assertThat(run.exitCode()).isZero();
    assertThat(run.lines())
        .containsExactly(
            "redriven e-1 state=skipped attempts=1 topic=" + topic,
            "redriven e-2 state=skipped attempts=1 topic=" + topic,
            "redriven=2 refused=0");
    assertThat(run.err()).isEqualTo("2 redriven so far\n");
    assertThat(CliServers.published(2, topic))
        .containsExactlyInAnyOrder(topic + ":e-1", topic + ":e-2");
    handle(first);
    assertThat(state("e-1")).isEqualTo(ProcessedState.DONE);
  }

  @Test
  @SuppressWarnings("try") // The source works until it is closed.
  void aRunningConsumerHandlesDeadLettersAfterAll() throws Exception {
    AtomicBoolean broken = new AtomicBoolean(true);
    BlockingQueue<String> handled = new LinkedBlockingQueue<>();
    Map<String, Object> kafka = CliServers.kafka().client();
    List<Event> events =
        List.of(
            database.append("e-1", "order.placed", "order", "7"),
            database.append("e-2", "order.paid", "order", "7"));
    try (KafkaRedelivery relay = new KafkaRedelivery(kafka, it -> topic);
        DeadLetterTopic letters = new DeadLetterTopic(kafka, topic + "-dlq");
        EventConsumer consumer =
            EventConsumer.named(HANDLER)
                .registry(registry)
                .retries(EventRetryPolicy.deadLetter(letters).withAttempts(1))
                .start((event, execution) -> index(event, broken.get(), handled));
        KafkaEventSource source = source(kafka, consumer, letters)) {
      relay.publish(events, Duration.ofMinutes(1));
      assertThat(CliServers.published(2, topic + "-dlq")).hasSize(2);
      awaitDead(2);
      broken.set(false);

      CliRun run = redrive("--dead");

      assertThat(run.exitCode()).as(run.err()).isZero();
      assertThat(run.lines()).contains("redriven e-1 state=dead attempts=1 topic=" + topic);
      assertThat(handled.poll(60, TimeUnit.SECONDS)).isEqualTo("e-1");
      assertThat(handled.poll(60, TimeUnit.SECONDS)).isEqualTo("e-2");
    }
    assertThat(redrive("--dead").lines()).containsExactly("redriven=0 refused=0");
  }

  private KafkaEventSource source(
      Map<String, Object> kafka, EventConsumer consumer, DeadLetterTopic letters) {
    Map<String, Object> config = new HashMap<>(kafka);
    config.put("metadata.max.age.ms", "500");
    return new KafkaEventSource(HANDLER + topic, config, List.of(topic), consumer, letters).start();
  }

  private static void index(Event event, boolean isBroken, BlockingQueue<String> handled) {
    if (isBroken) {
      throw new IllegalStateException("no route");
    }
    handled.add(event.id());
  }

  private void awaitDead(int count) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (registry.givenUp(HANDLER, ProcessedState.DEAD, 10).size() < count) {
      assertThat(System.nanoTime() - end).as("events are dead").isNegative();
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
    }
  }

  @Test
  void redrivesOneEvent() throws Exception {
    giveUp("e-1");
    giveUp("e-2");

    CliRun run = redrive("--event", "e-2", "--json");

    assertThat(run.lines())
        .containsExactly(
            """
            {"result":"redriven","event_id":"e-2","handler":"mail","state":"skipped","attempts":1,\
            "topic":"%s"}"""
                .formatted(topic),
            "{\"redriven\":1,\"refused\":0}");
    assertThat(state("e-1")).isEqualTo(ProcessedState.SKIPPED);
  }

  @Test
  void aDryRunChangesNothing() throws Exception {
    giveUp("e-1");

    CliRun run =
        CliRun.of(
            database.environment(), // Kafka is not needed.
            "events",
            "redrive",
            "--handler",
            HANDLER,
            "--skipped",
            "--topic",
            topic,
            "--dry-run");

    assertThat(run.exitCode()).isZero();
    assertThat(run.lines())
        .containsExactly(
            "would_redrive e-1 state=skipped attempts=1 topic=" + topic,
            "would_redrive=1 refused=0");
    assertThat(state("e-1")).isEqualTo(ProcessedState.SKIPPED);
  }

  @Test
  void canBeRepeatedAfterKafkaDidNotConfirm() throws Exception {
    giveUp("e-1");
    Path config = folder.resolve("kafka.properties");
    Files.writeString(config, "max.request.size=10\n"); // The producer refuses every event.

    CliRun failed = redrive("--skipped", "--kafka-config", config.toString());
    CliRun repeated = redrive("--skipped");

    assertThat(failed.exitCode()).isEqualTo(1);
    assertThat(failed.lines())
        .containsExactly("unconfirmed e-1 state=skipped attempts=1 topic=" + topic);
    assertThat(failed.err())
        .hasLineCount(1)
        .startsWith("once: Kafka did not confirm 1 events: ")
        .endsWith("are claimable: run the same command again\n");
    assertThat(repeated.exitCode()).isZero();
    assertThat(repeated.lines()).startsWith("redriven e-1 state=failed attempts=0 topic=" + topic);
    assertThat(CliServers.published(1, topic)).containsExactly(topic + ":e-1");
  }

  @Test
  void stopsAtItsLimit() throws Exception {
    giveUp("e-1");
    giveUp("e-2");

    CliRun run = redrive("--skipped", "--limit", "1");

    assertThat(run.lines()).hasSize(2).last().isEqualTo("redriven=1 refused=0");
    assertThat(run.err()).contains("stopped at --limit 1: there may be more\n");
    assertThat(state("e-2")).isEqualTo(ProcessedState.SKIPPED);
  }

  @Test
  void saysWhichEventsTheLogDoesNotHave() throws Exception {
    giveUp("e-1");
    database.execute("DELETE FROM spice_event_registry.event WHERE event_id = 'e-1'");

    CliRun run = redrive("--skipped");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.lines())
        .containsExactly("not_in_log e-1 state=skipped attempts=1 topic=-", "redriven=0 refused=1");
  }

  @Test
  void saysWhatItDoesNotKnowOrMayNotDo() throws Exception {
    giveUp("e-1");
    handle(database.append("e-2", "order.placed", "order", "8"));

    assertThat(redrive("--event", "e-9").err())
        .isEqualTo(
            "once: handler mail has not claimed event e-9: it is handled when it is delivered\n");
    assertThat(redrive("--event", "e-2").err())
        .startsWith("once: event e-2 is done for handler mail: only failed, skipped and dead ");
    CliRun unknown =
        CliRun.of(
            environment(), "events", "redrive", "--handler", "mial", "--dead", "--topic", topic);
    assertThat(unknown.exitCode()).isEqualTo(1);
    assertThat(unknown.err())
        .isEqualTo("once: handler mial has claimed no events; handlers that have: mail\n");
  }

  private Event giveUp(String id) throws Exception {
    Event event = database.append(id, "order.placed", "order", id);
    try (EventConsumer consumer =
        EventConsumer.named(HANDLER)
            .registry(registry)
            .retries(EventRetryPolicy.SKIP.withAttempts(1))
            .start(
                (it, execution) -> {
                  throw new IllegalStateException("no route");
                })) {
      consumer.submit(event).get();
    }
    return event;
  }

  private void handle(Event event) throws Exception {
    try (EventConsumer consumer =
        EventConsumer.named(HANDLER).registry(registry).start((it, execution) -> {})) {
      consumer.submit(event).get();
    }
  }

  private ProcessedState state(String id) {
    return registry.find(HANDLER, id).orElseThrow().state();
  }

  private CliRun redrive(String... options) {
    String[] fixed = {"events", "redrive", "--handler", HANDLER, "--topic", topic};
    String[] arguments = new String[fixed.length + options.length];
    System.arraycopy(fixed, 0, arguments, 0, fixed.length);
    System.arraycopy(options, 0, arguments, fixed.length, options.length);
    return CliRun.of(environment(), arguments);
  }

  private Map<String, String> environment() {
    return database.environment("KAFKA_BOOTSTRAP_SERVERS", CliServers.kafka().bootstrapServers());
  }
}
