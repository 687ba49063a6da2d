package dev.once.events;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;

/** The settings of consumers, which environment variables change. Immutable. */
public final class EventConsumerSettings {
  private static final String HEARTBEAT = "PROCESSED_EVENT_HEARTBEAT_INTERVAL_SECONDS";

  private final boolean isRegistryEnabled;
  private final Duration lease;
  private final Duration heartbeat;
  private final Optional<String> owner;
  private final int instanceWorkerAttempts;
  private final int ontologyWorkerAttempts;
  private final int projectionWorkerAttempts;

  private EventConsumerSettings(Environment names) {
    this.isRegistryEnabled = names.flag("ENABLE_PROCESSED_EVENT_REGISTRY", true);
    this.lease =
        names.seconds(
            "PROCESSED_EVENT_LEASE_TIMEOUT_SECONDS",
            ProcessedEvents.DEFAULT_LEASE,
            1,
            ProcessedEvents.MAX_LEASE);
    this.heartbeat =
        names.text(HEARTBEAT).isEmpty()
            ? ProcessedEvents.defaultHeartbeat(lease)
            : names.seconds(
                HEARTBEAT, ProcessedEvents.DEFAULT_HEARTBEAT, 1, ProcessedEvents.MAX_LEASE);
    this.owner = names.text("PROCESSED_EVENT_OWNER");
    this.instanceWorkerAttempts = attempts(names, "INSTANCE_WORKER_MAX_RETRY_ATTEMPTS");
    this.ontologyWorkerAttempts = attempts(names, "ONTOLOGY_WORKER_MAX_RETRY_ATTEMPTS");
    this.projectionWorkerAttempts = attempts(names, "PROJECTION_WORKER_MAX_RETRIES");
  }

  /**
   * Reads the settings from {@code environment}, such as {@link System#getenv()}.
   *
   * @throws IllegalArgumentException if a value is not allowed; the message has name and value
   */
  public static EventConsumerSettings of(Map<String, String> environment) {
    return new EventConsumerSettings(new Environment(environment));
  }

  /** Returns {@code ENABLE_PROCESSED_EVENT_REGISTRY}, true by default. */
  public boolean isRegistryEnabled() {
    return isRegistryEnabled;
  }

  /** Returns {@code PROCESSED_EVENT_LEASE_TIMEOUT_SECONDS}, 900 by default. */
  public Duration lease() {
    return lease;
  }

  /**
   * Returns {@code PROCESSED_EVENT_HEARTBEAT_INTERVAL_SECONDS}, by default 30 s, or a third of the
   * lease if that is shorter.
   */
  public Duration heartbeat() {
    return heartbeat;
  }

  /** Returns {@code PROCESSED_EVENT_OWNER}, none by default. */
  public Optional<String> owner() {
    return owner;
  }

  /** Returns {@code INSTANCE_WORKER_MAX_RETRY_ATTEMPTS}, 5 by default. */
  public int instanceWorkerAttempts() {
    return instanceWorkerAttempts;
  }

  /** Returns {@code ONTOLOGY_WORKER_MAX_RETRY_ATTEMPTS}, 5 by default. */
  public int ontologyWorkerAttempts() {
    return ontologyWorkerAttempts;
  }

  /** Returns {@code PROJECTION_WORKER_MAX_RETRIES}, 5 by default. */
  public int projectionWorkerAttempts() {
    return projectionWorkerAttempts;
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
