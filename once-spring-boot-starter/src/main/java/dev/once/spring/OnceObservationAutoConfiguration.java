package dev.once.spring;

import dev.once.http.HttpOnce;
import io.micrometer.observation.ObservationRegistry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

/** Adds key-values to observations of requests, if the application observes them. */
@AutoConfiguration(
    after = OnceWebAutoConfiguration.class,
    afterName =
        "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration")
@ConditionalOnClass(ObservationRegistry.class)
@ConditionalOnBean({ObservationRegistry.class, HttpOnce.class})
@ConditionalOnBooleanProperty(name = "once.enabled", matchIfMissing = true)
class OnceObservationAutoConfiguration {
  @Bean
  ExchangeObservation onceExchangeObservation(ObservationRegistry registry, HttpOnce http) {
    return new ExchangeObservation(registry, http.contract().name());
  }

  @Bean
  UniformObservations onceUniformObservations() {
    return new UniformObservations();
  }
}
