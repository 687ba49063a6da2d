package dev.once.events;

import java.time.Duration;
import java.util.Map;

/** The settings of a relay, which environment variables change. Immutable. */
public final class RelaySettings {
  private static final Duration MAX = Duration.ofDays(1);

  public static final RelaySettings DEFAULT = new RelaySettings(Map.of());

  private final Duration lookback;
  private final int lookbackMaxKeys;
  private final int dedupMaxEvents;
  private final int dedupCheckpointMaxEvents;
  private final int batchSize;
  private final int flushBatchSize;
  private final Duration flushTimeout;
  private final Duration metricsInterval;

  private RelaySettings(Map<String, String> environment) {
    Environment names = new Environment(environment);
    this.lookback =
        names.seconds("EVENT_PUBLISHER_LOOKBACK_SECONDS", Duration.ofMinutes(10), 0, MAX);
    this.lookbackMaxKeys = names.number("EVENT_PUBLISHER_LOOKBACK_MAX_KEYS", 50, 0, 10_000);
    this.dedupMaxEvents = names.number("EVENT_PUBLISHER_DEDUP_MAX_EVENTS", 10_000, 0, 10_000_000);
    this.dedupCheckpointMaxEvents =
        names.number("EVENT_PUBLISHER_DEDUP_CHECKPOINT_MAX_EVENTS", 2_000, 0, 100_000);
    this.batchSize = names.number("EVENT_PUBLISHER_BATCH_SIZE", 200, 1, EventLog.MAX_PAGE);
    this.flushBatchSize =
        names.number("EVENT_PUBLISHER_KAFKA_FLUSH_BATCH_SIZE", batchSize, 1, EventLog.MAX_PAGE);
    this.flushTimeout =
        names.seconds(
            "EVENT_PUBLISHER_KAFKA_FLUSH_TIMEOUT_SECONDS",
            Duration.ofSeconds(10),
            1,
            Duration.ofMinutes(5));
    this.metricsInterval =
        names.seconds(
            "EVENT_PUBLISHER_METRICS_LOG_INTERVAL_SECONDS", Duration.ofSeconds(30), 1, MAX);
  }

  /**
   * Returns the settings of environment variables such as {@code EVENT_PUBLISHER_BATCH_SIZE}.
   *
   * @throws IllegalArgumentException if a value is not a number, or outside its limits
   */
  public static RelaySettings of(Map<String, String> environment) {
    return new RelaySettings(environment);
  }

  /** Returns how far before its position a log is searched for events that came late. */
  public Duration lookback() {
    return lookback;
  }

  /** Returns how many late keys are looked at per batch. */
  public int lookbackMaxKeys() {
    return lookbackMaxKeys;
  }

  /** Returns of how many published events the ids are remembered in memory. */
  public int dedupMaxEvents() {
    return dedupMaxEvents;
  }

  /** Returns of how many published events the ids are in the checkpoint. */
  public int dedupCheckpointMaxEvents() {
    return dedupCheckpointMaxEvents;
  }

  /** Returns how many events are read at a time. */
  public int batchSize() {
    return batchSize;
  }

  /** Returns how many events are published before the broker must confirm them. */
  public int flushBatchSize() {
    return flushBatchSize;
  }

  /** Returns how long a relay waits for that. */
  public Duration flushTimeout() {
    return flushTimeout;
  }

  /** Returns how often a relay reports what it has published. */
  public Duration metricsInterval() {
    return metricsInterval;
  }
}
