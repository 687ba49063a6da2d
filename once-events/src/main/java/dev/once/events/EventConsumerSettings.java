package dev.once.events;

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
    Environment names = new Environment(environment);
    return new EventConsumerSettings(
        names.flag("ENABLE_PROCESSED_EVENT_REGISTRY", true),
        names.seconds(
            "PROCESSED_EVENT_LEASE_TIMEOUT_SECONDS",
            ProcessedEvents.DEFAULT_LEASE,
            1,
            ProcessedEvents.MAX_LEASE),
        names.seconds(
            "PROCESSED_EVENT_HEARTBEAT_INTERVAL_SECONDS",
            ProcessedEvents.DEFAULT_HEARTBEAT,
            1,
            ProcessedEvents.MAX_LEASE),
        names.text("PROCESSED_EVENT_OWNER"),
        attempts(names, "INSTANCE_WORKER_MAX_RETRY_ATTEMPTS"),
        attempts(names, "ONTOLOGY_WORKER_MAX_RETRY_ATTEMPTS"),
        attempts(names, "PROJECTION_WORKER_MAX_RETRIES"));
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

  private static int attempts(Environment names, String name) {
    return names.number(name, EventRetryPolicy.DEFAULT_ATTEMPTS, 1, EventRetryPolicy.MAX_ATTEMPTS);
  }
}
