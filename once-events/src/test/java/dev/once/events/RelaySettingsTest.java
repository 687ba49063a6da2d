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
