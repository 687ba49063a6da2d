package dev.once.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.postgresql.ds.PGSimpleDataSource;

/** The environment variables of consumers. */
class EventConsumerSettingsTest {
  @Test
  void hasTheDefaultsOfTheContract() {
    assertThat(EventConsumerSettings.fromEnvironment(Map.of()))
        .isEqualTo(
            new EventConsumerSettings(
                true, Duration.ofMinutes(15), Duration.ofSeconds(30), Optional.empty(), 5, 5, 5));
  }

  @Test
  void readsEveryName() {
    Map<String, String> environment =
        Map.of(
            "ENABLE_PROCESSED_EVENT_REGISTRY", "false",
            "PROCESSED_EVENT_LEASE_TIMEOUT_SECONDS", "60",
            "PROCESSED_EVENT_HEARTBEAT_INTERVAL_SECONDS", "10",
            "PROCESSED_EVENT_OWNER", "worker-7",
            "INSTANCE_WORKER_MAX_RETRY_ATTEMPTS", "1",
            "ONTOLOGY_WORKER_MAX_RETRY_ATTEMPTS", "2",
            "PROJECTION_WORKER_MAX_RETRIES", "3");

    assertThat(EventConsumerSettings.fromEnvironment(environment))
        .isEqualTo(
            new EventConsumerSettings(
                false,
                Duration.ofMinutes(1),
                Duration.ofSeconds(10),
                Optional.of("worker-7"),
                1,
                2,
                3));
  }

  @ParameterizedTest
  @CsvSource({
    "ENABLE_PROCESSED_EVENT_REGISTRY, maybe",
    "PROCESSED_EVENT_LEASE_TIMEOUT_SECONDS, 15m",
    "PROCESSED_EVENT_LEASE_TIMEOUT_SECONDS, 0",
    "PROCESSED_EVENT_HEARTBEAT_INTERVAL_SECONDS, -1",
    "INSTANCE_WORKER_MAX_RETRY_ATTEMPTS, 0",
    "ONTOLOGY_WORKER_MAX_RETRY_ATTEMPTS, five",
    "PROJECTION_WORKER_MAX_RETRIES, 99999"
  })
  void refusesABadValueWithItsName(String name, String value) {
    assertThatThrownBy(() -> EventConsumerSettings.fromEnvironment(Map.of(name, value)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(name)
        .hasMessageContaining(value);
  }

  @Test
  void makesARegistryUnlessItIsDisabled() {
    PGSimpleDataSource database = new PGSimpleDataSource();
    EventConsumerSettings settings =
        EventConsumerSettings.fromEnvironment(Map.of("PROCESSED_EVENT_OWNER", "worker-7"));

    ProcessedEvents registry = settings.registry(database, "events").orElseThrow();

    assertThat(registry.owner()).isEqualTo("worker-7");
    assertThat(registry.lease()).isEqualTo(Duration.ofMinutes(15));
    assertThat(
            EventConsumerSettings.fromEnvironment(
                    Map.of("ENABLE_PROCESSED_EVENT_REGISTRY", "false"))
                .registry(database, "events"))
        .isEmpty();
  }
}
