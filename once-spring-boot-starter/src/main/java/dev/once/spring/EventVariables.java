package dev.once.spring;

import dev.once.events.EventConsumerSettings;
import dev.once.events.EventRetryPolicy;
import dev.once.events.EventStoreSettings;
import dev.once.events.RelaySettings;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.springframework.core.env.Environment;

/**
 * Settings of events under the names of environment variables that services may already have. They
 * may come from any property source; a setting under {@code once.events} takes precedence.
 */
record EventVariables(Environment environment) {
  static final String REGISTRY = "ENABLE_PROCESSED_EVENT_REGISTRY";

  private static final String HEARTBEAT = "PROCESSED_EVENT_HEARTBEAT_INTERVAL_SECONDS";

  private static final List<String> OF_STORES =
      List.of(
          "EVENT_STORE_SEQUENCE_SCHEMA",
          "EVENT_STORE_SEQUENCE_HANDLER_PREFIX",
          "EVENT_STORE_SEQUENCE_ALLOCATOR_MODE",
          "EVENT_STORE_IDEMPOTENCY_MISMATCH_MODE");

  private static final List<String> OF_CONSUMERS =
      List.of(
          REGISTRY, "PROCESSED_EVENT_LEASE_TIMEOUT_SECONDS", HEARTBEAT, "PROCESSED_EVENT_OWNER");

  private static final List<String> OF_RELAYS =
      List.of(
          "EVENT_PUBLISHER_LOOKBACK_SECONDS",
          "EVENT_PUBLISHER_LOOKBACK_MAX_KEYS",
          "EVENT_PUBLISHER_DEDUP_MAX_EVENTS",
          "EVENT_PUBLISHER_DEDUP_CHECKPOINT_MAX_EVENTS",
          "EVENT_PUBLISHER_BATCH_SIZE",
          "EVENT_PUBLISHER_KAFKA_FLUSH_BATCH_SIZE",
          "EVENT_PUBLISHER_KAFKA_FLUSH_TIMEOUT_SECONDS",
          "EVENT_PUBLISHER_METRICS_LOG_INTERVAL_SECONDS");

  EventStoreSettings ofStores() {
    try {
      return EventStoreSettings.of(values(OF_STORES));
    } catch (IllegalArgumentException e) {
      throw invalid(e);
    }
  }

  EventConsumerSettings ofConsumers() {
    try {
      return EventConsumerSettings.of(values(OF_CONSUMERS));
    } catch (IllegalArgumentException e) {
      throw invalid(e);
    }
  }

  /** Returns how often leases are renewed; empty if the variable is not set. */
  Optional<Duration> heartbeat() {
    return find(HEARTBEAT).map(set -> ofConsumers().heartbeat());
  }

  RelaySettings ofRelays() {
    try {
      return RelaySettings.of(values(OF_RELAYS));
    } catch (IllegalArgumentException e) {
      throw invalid(e);
    }
  }

  /**
   * Returns the attempts that a variable such as {@code INSTANCE_WORKER_MAX_RETRY_ATTEMPTS} has.
   */
  Optional<Integer> attempts(String handler) {
    String prefix = handler.toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]", "_");
    Optional<Integer> attempts = number(prefix + "_MAX_RETRY_ATTEMPTS");
    Optional<Integer> retries = number(prefix + "_MAX_RETRIES");
    if (attempts.isPresent() && retries.isPresent() && !attempts.equals(retries)) {
      throw new MisconfiguredException(
          "%s_MAX_RETRY_ATTEMPTS is %d, but %s_MAX_RETRIES is %d."
              .formatted(prefix, attempts.get(), prefix, retries.get()),
          "Set one of them, or both to the same number.");
    }
    return attempts.or(() -> retries);
  }

  private Optional<Integer> number(String name) {
    Optional<String> text = find(name);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    if (text.get().matches("[0-9]{1,5}")) {
      int value = Integer.parseInt(text.get());
      if (value >= 1 && value <= EventRetryPolicy.MAX_ATTEMPTS) {
        return Optional.of(value);
      }
    }
    throw new MisconfiguredException(
        "%s must be a number of 1 to %d, got %s."
            .formatted(name, EventRetryPolicy.MAX_ATTEMPTS, text.get()),
        "Change it, or leave it out.");
  }

  /** Returns a value; empty if it is blank, as an empty variable counts as not set. */
  private Optional<String> find(String name) {
    return Optional.ofNullable(environment.getProperty(name))
        .map(String::strip)
        .filter(it -> !it.isEmpty());
  }

  private Map<String, String> values(List<String> names) {
    Map<String, String> values = new HashMap<>();
    names.forEach(name -> find(name).ifPresent(value -> values.put(name, value)));
    return values;
  }

  private static MisconfiguredException invalid(IllegalArgumentException e) {
    return new MisconfiguredException(e.getMessage() + ".", "Change it, or leave it out.");
  }
}
