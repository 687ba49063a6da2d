package dev.once.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
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
    assertThat(valuesOf(EventConsumerSettings.of(Map.of())))
        .containsExactly(
            true, Duration.ofMinutes(15), Duration.ofSeconds(30), Optional.empty(), 5, 5, 5);
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

    assertThat(valuesOf(EventConsumerSettings.of(environment)))
        .containsExactly(
            false, Duration.ofMinutes(1), Duration.ofSeconds(10), Optional.of("worker-7"), 1, 2, 3);
  }

  private static List<Object> valuesOf(EventConsumerSettings settings) {
    return List.of(
        settings.isRegistryEnabled(),
        settings.lease(),
        settings.heartbeat(),
        settings.owner(),
        settings.instanceWorkerAttempts(),
        settings.ontologyWorkerAttempts(),
        settings.projectionWorkerAttempts());
  }

  @Test
  void renewsAShortLeaseInTimeUnlessTheIntervalIsSet() {
    Map<String, String> shortLease = Map.of("PROCESSED_EVENT_LEASE_TIMEOUT_SECONDS", "60");
    Map<String, String> both =
        Map.of(
            "PROCESSED_EVENT_LEASE_TIMEOUT_SECONDS", "60",
            "PROCESSED_EVENT_HEARTBEAT_INTERVAL_SECONDS", "30");
    PGSimpleDataSource database = new PGSimpleDataSource();

    EventConsumerSettings settings = EventConsumerSettings.of(shortLease);

    assertThat(settings.heartbeat()).isEqualTo(Duration.ofSeconds(20));
    assertThat(settings.registry(database, "events").orElseThrow().heartbeat())
        .isEqualTo(Duration.ofSeconds(20));
    assertThat(ProcessedEvents.builder(database).lease(Duration.ofSeconds(6)).build().heartbeat())
        .isEqualTo(Duration.ofSeconds(2));
    assertThatThrownBy(() -> EventConsumerSettings.of(both).registry(database, "events"))
        .hasMessageContaining("at most a third of the lease PT1M");
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
    assertThatThrownBy(() -> EventConsumerSettings.of(Map.of(name, value)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(name)
        .hasMessageContaining(value);
  }

  @Test
  void makesARegistryUnlessItIsDisabled() {
    PGSimpleDataSource database = new PGSimpleDataSource();
    EventConsumerSettings settings =
        EventConsumerSettings.of(Map.of("PROCESSED_EVENT_OWNER", "worker-7"));

    ProcessedEvents registry = settings.registry(database, "events").orElseThrow();

    assertThat(registry.owner()).isEqualTo("worker-7");
    assertThat(registry.lease()).isEqualTo(Duration.ofMinutes(15));
    assertThat(
            EventConsumerSettings.of(Map.of("ENABLE_PROCESSED_EVENT_REGISTRY", "false"))
                .registry(database, "events"))
        .isEmpty();
  }
}
