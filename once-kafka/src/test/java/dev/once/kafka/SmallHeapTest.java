package dev.once.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.once.events.Aggregate;
import dev.once.events.Event;
import dev.once.events.EventData;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The largest events must not fill the heap of a consumer, whose effects are slower than Kafka. */
@Timeout(180)
class SmallHeapTest {
  private static final int EVENTS = 200;
  private static final int PER_TRANSACTION = 10;

  @Test
  void handlesTheLargestEventsInAHeapOf256MiB() throws Exception {
    try (TestKafka kafka = new TestKafka()) {
      publish(kafka);
      Process program = start(kafka.bootstrapServers());

      assertThat(program.waitFor(120, TimeUnit.SECONDS)).as("ended").isTrue();
      assertThat(new String(program.getInputStream().readAllBytes(), UTF_8))
          .contains(SmallHeapConsumer.HANDLED);
      assertThat(program.exitValue()).isZero();
    }
  }

  private static Process start(String servers) throws Exception {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    return new ProcessBuilder(
            java,
            "-Xmx256m",
            "-XX:+ExitOnOutOfMemoryError",
            "-cp",
            System.getProperty("java.class.path"),
            SmallHeapConsumer.class.getName(),
            servers,
            "large",
            String.valueOf(EVENTS))
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  private static void publish(TestKafka kafka) throws Exception {
    try (Admin admin = Admin.create(kafka.client());
        KafkaEventPublisher publisher =
            new KafkaEventPublisher("large", kafka.client(), event -> "large")) {
      NewTopic topic =
          new NewTopic("large", 4, (short) 1)
              .configs(
                  Map.of(
                      "max.message.bytes", String.valueOf(KafkaEventPublisher.MAX_REQUEST_BYTES)));
      admin.createTopics(List.of(topic)).all().get();
      publisher.takeOver();
      List<Event> batch = new ArrayList<>();
      for (int i = 1; i <= EVENTS; i++) {
        batch.add(largest(i));
        if (batch.size() == PER_TRANSACTION) {
          publisher.publish(batch, Duration.ofSeconds(60));
          batch.clear();
        }
      }
    }
  }

  /** Returns bytes, which are sent in Base64, or JSON of which each byte becomes a node. */
  private static Event largest(int number) {
    Aggregate aggregate = new Aggregate("order", String.valueOf(number));
    byte[] data = new byte[EventData.MAX_DATA_BYTES];
    EventData event = EventData.of("event-" + number, aggregate, "order.changed", data);
    if (number % 2 == 0) {
      return new Event(event.withData("application/octet-stream", data), 1, Instant.now());
    }
    String json = "[" + "1,".repeat(EventData.MAX_DATA_BYTES / 2 - 2) + "1]";
    return new Event(event.withData("application/json", json.getBytes(UTF_8)), 1, Instant.now());
  }
}
