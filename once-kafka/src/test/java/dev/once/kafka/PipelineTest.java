package dev.once.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.once.events.Aggregate;
import dev.once.events.AppendCondition;
import dev.once.events.Event;
import dev.once.events.EventConsumer;
import dev.once.events.EventData;
import dev.once.events.EventDatabase;
import dev.once.events.EventKind;
import dev.once.events.EventRetryPolicy;
import dev.once.events.EventStore;
import dev.once.events.EventsSchema;
import dev.once.events.PostgresEventStore;
import dev.once.events.ProcessedEvents;
import dev.once.events.Relay;
import dev.once.events.RelaySettings;
import dev.once.events.SequenceConflictException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The examples of docs/guides/events.md: from a command to its effect. */
@SuppressWarnings("try") // Relay and source work until they are closed.
class PipelineTest {
  private static TestKafka broker;
  private static EventDatabase database;

  private final BlockingQueue<String> indexed = new LinkedBlockingQueue<>();

  @BeforeAll
  static void start() {
    broker = new TestKafka();
    database = new EventDatabase("pipeline");
  }

  @AfterAll
  static void stop() {
    database.close();
    broker.close();
  }

  @Test
  void handlesEachEventOnceFromItsAppendToItsEffect() throws InterruptedException {
    DataSource dataSource = database.dataSource();
    Map<String, Object> kafka = broker.client();
    // snippet: store
    EventsSchema.named(EventsSchema.DEFAULT_NAME).apply(dataSource);
    EventStore store = PostgresEventStore.over(dataSource);
    // end
    append(store);

    // snippet: relay
    KafkaEventPublisher publisher =
        new KafkaEventPublisher("instances", kafka, event -> "instance_events");
    Relay relay =
        Relay.builder("instances", store.log(), publisher, dataSource)
            .settings(RelaySettings.of(System.getenv()))
            .build()
            .start();
    // end
    // snippet: consumer
    DeadLetterTopic deadLetters = new DeadLetterTopic(kafka, "projection_dlq");
    EventConsumer consumer =
        EventConsumer.named("projection_worker")
            .registry(ProcessedEvents.over(dataSource))
            .retries(EventRetryPolicy.deadLetter(deadLetters))
            .start((event, execution) -> index(event));
    KafkaEventSource source =
        new KafkaEventSource(
                "projection_worker", kafka, List.of("instance_events"), consumer, deadLetters)
            .start();
    // end
    try (publisher;
        relay;
        deadLetters;
        source) {
      assertThat(indexed.poll(60, TimeUnit.SECONDS)).isEqualTo("{\"name\":\"pump\"}");
      assertThat(indexed.poll(60, TimeUnit.SECONDS)).isEqualTo("{\"name\":\"valve\"}");
    }
    assertThat(indexed).isEmpty();
  }

  private static void append(EventStore store) {
    // snippet: append
    Aggregate instance = new Aggregate("instance", "pump-1");
    EventData create =
        EventData.of("e-1", instance, "instance.create", "{\"name\":\"pump\"}")
            .withKind(EventKind.COMMAND);
    Event first = store.append(create, AppendCondition.expecting(0)).event();
    boolean retried = store.append(create, AppendCondition.expecting(0)).duplicate(); // True.

    EventData rename = EventData.of("e-2", instance, "instance.rename", "{\"name\":\"valve\"}");
    store.append(rename, AppendCondition.expecting(first.sequence()));
    // end
    assertThat(retried).isTrue();
    EventData late = EventData.of("e-3", instance, "instance.rename", "{\"name\":\"tap\"}");
    assertThatThrownBy(() -> store.append(late, AppendCondition.expecting(1)))
        .isInstanceOf(SequenceConflictException.class);
  }

  private void index(Event event) {
    indexed.add(new String(event.content().data(), StandardCharsets.UTF_8));
  }
}
