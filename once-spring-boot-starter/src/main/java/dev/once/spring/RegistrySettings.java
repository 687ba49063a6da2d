package dev.once.spring;

import dev.once.events.EventConsumerSettings;
import dev.once.events.ProcessedEvents;
import java.time.Duration;
import java.util.Optional;

/** The settings of the registry of processed events. */
record RegistrySettings(
    boolean isEnabled, Duration lease, Optional<Duration> heartbeat, Optional<String> owner) {

  static RegistrySettings of(EventsProperties.Registry settings, EventVariables variables) {
    EventConsumerSettings others = variables.ofConsumers();
    return new RegistrySettings(
        Optional.ofNullable(settings.enabled()).orElse(others.isRegistryEnabled()),
        Optional.ofNullable(settings.lease()).orElse(others.lease()),
        Optional.ofNullable(settings.heartbeat()).or(variables::heartbeat),
        Optional.ofNullable(settings.owner()).or(others::owner));
  }

  ProcessedEvents over(EventTables tables) {
    try {
      ProcessedEvents.Builder registry =
          ProcessedEvents.builder(tables.dataSource()).schema(tables.schema()).lease(lease);
      heartbeat.ifPresent(registry::heartbeat);
      owner.ifPresent(registry::owner);
      return registry.build();
    } catch (IllegalArgumentException e) {
      throw new MisconfiguredException(
          "the registry of processed events cannot be used: " + e.getMessage() + ".",
          "Change the setting under once.events.registry, or the variable PROCESSED_EVENT_*.");
    }
  }
}
