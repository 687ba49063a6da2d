package dev.once.spring;

import dev.once.spi.OutcomeCache;
import dev.once.spi.RecordStore;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;

/** The actuator endpoint {@code once}, in applications that expose it. */
@AutoConfiguration(after = OnceAutoConfiguration.class)
@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
@ConditionalOnBean(RecordStore.class)
@ConditionalOnBooleanProperty(name = "once.enabled", matchIfMissing = true)
@ConditionalOnAvailableEndpoint(OnceEndpoint.class)
class OnceEndpointAutoConfiguration {
  @Bean
  OnceEndpoint onceEndpoint(
      RecordStore store, ObjectProvider<OutcomeCache> cache, ApplicationEventPublisher events) {
    return new OnceEndpoint(
        store, cache.getIfUnique(() -> OutcomeCache.NONE), new OperatorAudit(events));
  }
}
