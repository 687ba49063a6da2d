package dev.once.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.events.Event;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;
import org.springframework.stereotype.Service;

/**
 * What an application with once-kafka on its class path is refused, and what it does without it.
 */
class EventMisconfigurationTest {
  private static final String WITHOUT_SERVER = "spring.main.web-application-type=none";
  private static final PGSimpleDataSource DATABASE = App.newDatabase();

  @EnableAutoConfiguration
  static class Empty {}

  @Service
  @Import(Empty.class)
  static class Transactional {
    @OnceEvent(handler = "orders", topics = "orders", mode = OnceEvent.Mode.TRANSACTIONAL)
    void on(Event event) {}
  }

  @Test
  void startsNoConsumerAndCreatesNoTablesWithoutAMethod() {
    try (App app = App.start(Empty.class, WITHOUT_SERVER)) {
      assertThat(app.isRunning(EventConsumers.class)).isFalse();
      assertThat(app.has(EventRelay.class)).isFalse();
      assertThat(app.tables("processed_event")).isZero();
    }
  }

  @Test
  void asksForAnAddressOfKafka() {
    assertThat(report())
        .contains("Transactional.on receives events from Kafka, but no address of Kafka is set")
        .contains("once.events.kafka.bootstrap-servers");
  }

  @Test
  void asksForATopicOfARelay() {
    assertThat(
            report("once.events.relay.enabled=true", "spring.kafka.bootstrap-servers=127.0.0.1:9"))
        .contains("once.events.relay.enabled is true, but there is no topic")
        .contains("once.events.relay.topic");
  }

  private static String report(String... settings) {
    List<String> all = new ArrayList<>(App.connection(DATABASE));
    all.add(WITHOUT_SERVER);
    all.addAll(List.of(settings));
    return StartReport.ofStarting(Transactional.class, all);
  }
}
