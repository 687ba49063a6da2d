package dev.once.spring;

import dev.once.events.ConsumerListener;
import dev.once.events.EventStore;
import dev.once.events.ProcessedEvents;
import dev.once.events.RelayListener;
import dev.once.events.RelayReport;
import dev.once.internal.Limits;
import dev.once.kafka.KafkaEventSource;
import java.time.Duration;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import tools.jackson.databind.json.JsonMapper;

/** Consumers for the application's methods that are {@link OnceEvent}, and its relay. */
@AutoConfiguration(after = OnceEventsAutoConfiguration.class)
@ConditionalOnClass(KafkaEventSource.class)
@ConditionalOnBooleanProperty(
    name = {"once.enabled", "once.events.enabled"},
    matchIfMissing = true)
class OnceKafkaAutoConfiguration {
  @Bean
  EventConsumers onceEventConsumers(
      ConfigurableListableBeanFactory beans,
      ObjectProvider<JsonMapper> mapper,
      ObjectProvider<ProcessedEvents> registry,
      OnceDatabase database,
      EventsProperties settings,
      EventVariables variables,
      Environment environment,
      List<ConsumerListener> listeners) {
    return new EventConsumers(
        new EventMethods(beans, mapper::getObject),
        registry,
        database,
        settings,
        variables,
        new KafkaClients(settings.kafka(), environment),
        listeners);
  }

  @Bean
  EventsPurge onceEventsPurge(
      EventConsumers consumers,
      ObjectProvider<ProcessedEvents> registry,
      EventsProperties settings) {
    Duration retention = settings.registry().retention();
    try {
      Limits.range(
          "retention", retention, ProcessedEvents.MIN_RETENTION, ProcessedEvents.MAX_RETENTION);
    } catch (IllegalArgumentException e) {
      throw new MisconfiguredException(
          "once.events.registry: " + e.getMessage() + ".", "Set another retention.");
    }
    return new EventsPurge(consumers, registry, retention);
  }

  @Bean
  @ConditionalOnBooleanProperty("once.events.relay.enabled")
  EventRelay onceEventRelay(
      EventStore store,
      EventTables tables,
      EventsProperties settings,
      EventVariables variables,
      Environment environment,
      List<RelayListener> listeners) {
    return new EventRelay(
        store,
        tables,
        settings.relay(),
        variables.ofRelays(),
        new KafkaClients(settings.kafka(), environment)
            .required("once.events.relay.enabled is true"),
        new RelayListeners(listeners));
  }

  /** Publishes to all listeners. */
  private record RelayListeners(List<RelayListener> all) implements RelayListener {
    @Override
    public void report(RelayReport report) {
      all.forEach(it -> it.report(report));
    }

    @Override
    public void failed(String relay, Throwable failure) {
      all.forEach(it -> it.failed(relay, failure));
    }
  }
}
