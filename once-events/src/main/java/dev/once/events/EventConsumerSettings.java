package dev.once.events;

import dev.once.internal.Limits;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * The settings of consumers that environment variables have.
 *
 * @param isRegistryEnabled {@code ENABLE_PROCESSED_EVENT_REGISTRY}, true by default
 * @param lease {@code PROCESSED_EVENT_LEASE_TIMEOUT_SECONDS}, 900 by default
 * @param heartbeat {@code PROCESSED_EVENT_HEARTBEAT_INTERVAL_SECONDS}, 30 by default
 * @param owner {@code PROCESSED_EVENT_OWNER}, none by default
 * @param instanceWorkerAttempts {@code INSTANCE_WORKER_MAX_RETRY_ATTEMPTS}, 5 by default
 * @param ontologyWorkerAttempts {@code ONTOLOGY_WORKER_MAX_RETRY_ATTEMPTS}, 5 by default
 * @param projectionWorkerAttempts {@code PROJECTION_WORKER_MAX_RETRIES}, 5 by default
 */
public record EventConsumerSettings(
    boolean isRegistryEnabled,
    Duration lease,
    Duration heartbeat,
    Optional<String> owner,
    int instanceWorkerAttempts,
    int ontologyWorkerAttempts,
    int projectionWorkerAttempts) {

  /**
   * Reads the settings from {@code environment}, such as {@link System#getenv()}.
   *
   * @throws IllegalArgumentException if a value is not allowed; the message has name and value
   */
  public static EventConsumerSettings fromEnvironment(Map<String, String> environment) {
    Reader reader = new Reader(environment);
    return new EventConsumerSettings(
        reader.flag("ENABLE_PROCESSED_EVENT_REGISTRY", true),
        reader.seconds(
            "PROCESSED_EVENT_LEASE_TIMEOUT_SECONDS",
            ProcessedEvents.DEFAULT_LEASE,
            ProcessedEvents.MAX_LEASE),
        reader.seconds(
            "PROCESSED_EVENT_HEARTBEAT_INTERVAL_SECONDS",
            ProcessedEvents.DEFAULT_HEARTBEAT,
            ProcessedEvents.MAX_LEASE),
        reader.text("PROCESSED_EVENT_OWNER"),
        reader.attempts("INSTANCE_WORKER_MAX_RETRY_ATTEMPTS"),
        reader.attempts("ONTOLOGY_WORKER_MAX_RETRY_ATTEMPTS"),
        reader.attempts("PROJECTION_WORKER_MAX_RETRIES"));
  }

  /** Returns a registry with these settings; empty if it is disabled. */
  public Optional<ProcessedEvents> registry(DataSource dataSource, String schema) {
    if (!isRegistryEnabled) {
      return Optional.empty();
    }
    ProcessedEvents.Builder builder =
        ProcessedEvents.builder(dataSource).schema(schema).lease(lease).heartbeat(heartbeat);
    owner.ifPresent(builder::owner);
    return Optional.of(builder.build());
  }

  /** Reads values and names the variable of a bad one. An empty variable counts as not set. */
  private record Reader(Map<String, String> environment) {
    Optional<String> text(String name) {
      return Optional.ofNullable(environment.get(name))
          .map(String::strip)
          .filter(it -> !it.isEmpty());
    }

    boolean flag(String name, boolean preset) {
      String value = text(name).orElse(String.valueOf(preset));
      if (value.equalsIgnoreCase("true") || value.equals("1")) {
        return true;
      }
      if (value.equalsIgnoreCase("false") || value.equals("0")) {
        return false;
      }
      throw new IllegalArgumentException(name + " must be true or false, got " + value);
    }

    Duration seconds(String name, Duration preset, Duration max) {
      return Duration.ofSeconds(number(name, preset.toSeconds(), max.toSeconds()));
    }

    int attempts(String name) {
      return (int) number(name, EventRetryPolicy.DEFAULT_ATTEMPTS, EventRetryPolicy.MAX_ATTEMPTS);
    }

    private long number(String name, long preset, long max) {
      Optional<String> value = text(name);
      if (value.isEmpty()) {
        return preset;
      }
      try {
        long number = Long.parseLong(value.get());
        Limits.range(name, number, 1, max);
        return number;
      } catch (NumberFormatException e) {
        throw new IllegalArgumentException(
            name + " must be a whole number of 1 to " + max + ", got " + value.get(), e);
      }
    }
  }
}
