package dev.once.spring;

import dev.once.events.EventStore;
import dev.once.kafka.KafkaEventSource;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/** Shows whether events are handled, as {@code onceEvents} among the application's health. */
@AutoConfiguration(after = OnceKafkaAutoConfiguration.class)
@ConditionalOnClass({HealthIndicator.class, EventStore.class, KafkaEventSource.class})
@ConditionalOnBean(EventConsumers.class)
@ConditionalOnEnabledHealthIndicator("once-events")
class OnceEventsHealthAutoConfiguration {
  @Bean
  EventsHealthIndicator onceEventsHealthIndicator(EventConsumers consumers) {
    return new EventsHealthIndicator(consumers);
  }
}
