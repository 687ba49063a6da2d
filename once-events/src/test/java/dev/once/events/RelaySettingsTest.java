package dev.once.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RelaySettingsTest {
  @Test
  void haveTheDefaultsOfTheirContract() {
    RelaySettings settings = RelaySettings.of(Map.of());

    assertThat(settings.lookback()).isEqualTo(Duration.ofMinutes(10));
    assertThat(settings.lookbackMaxKeys()).isEqualTo(50);
    assertThat(settings.dedupMaxEvents()).isEqualTo(10_000);
    assertThat(settings.dedupCheckpointMaxEvents()).isEqualTo(2_000);
    assertThat(settings.batchSize()).isEqualTo(200);
    assertThat(settings.flushBatchSize()).isEqualTo(200);
    assertThat(settings.flushTimeout()).isEqualTo(Duration.ofSeconds(10));
    assertThat(settings.metricsInterval()).isEqualTo(Duration.ofSeconds(30));
  }

  @Test
  void readEveryName() {
    RelaySettings settings =
        RelaySettings.of(
            Map.of(
                "EVENT_PUBLISHER_LOOKBACK_SECONDS", "1",
                "EVENT_PUBLISHER_LOOKBACK_MAX_KEYS", "2",
                "EVENT_PUBLISHER_DEDUP_MAX_EVENTS", "3",
                "EVENT_PUBLISHER_DEDUP_CHECKPOINT_MAX_EVENTS", "4",
                "EVENT_PUBLISHER_BATCH_SIZE", "5",
                "EVENT_PUBLISHER_KAFKA_FLUSH_BATCH_SIZE", "6",
                "EVENT_PUBLISHER_KAFKA_FLUSH_TIMEOUT_SECONDS", "7",
                "EVENT_PUBLISHER_METRICS_LOG_INTERVAL_SECONDS", "8"));

    assertThat(settings.lookback()).isEqualTo(Duration.ofSeconds(1));
    assertThat(settings.lookbackMaxKeys()).isEqualTo(2);
    assertThat(settings.dedupMaxEvents()).isEqualTo(3);
    assertThat(settings.dedupCheckpointMaxEvents()).isEqualTo(4);
    assertThat(settings.batchSize()).isEqualTo(5);
    assertThat(settings.flushBatchSize()).isEqualTo(6);
    assertThat(settings.flushTimeout()).isEqualTo(Duration.ofSeconds(7));
    assertThat(settings.metricsInterval()).isEqualTo(Duration.ofSeconds(8));
  }

  @Test
  void flushAsManyAsTheyReadUnlessSet() {
    assertThat(RelaySettings.of(Map.of("EVENT_PUBLISHER_BATCH_SIZE", "7")).flushBatchSize())
        .isEqualTo(7);
  }

  @Test
  void refuseWhatIsNoNumber() {
    assertThatThrownBy(() -> RelaySettings.of(Map.of("EVENT_PUBLISHER_BATCH_SIZE", "many")))
        .hasMessage("EVENT_PUBLISHER_BATCH_SIZE must be a whole number of 1 to 10000, got many");
    assertThatThrownBy(() -> RelaySettings.of(Map.of("EVENT_PUBLISHER_BATCH_SIZE", "0")))
        .hasMessage("EVENT_PUBLISHER_BATCH_SIZE must be 1 to 10000, got 0");
  }
}
