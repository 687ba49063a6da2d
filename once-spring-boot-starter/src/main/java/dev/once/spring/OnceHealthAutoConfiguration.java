package dev.once.spring;

import dev.once.spi.RecordStore;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/** Shows whether the store answers, as {@code once} among the application's health. */
@AutoConfiguration(after = OnceAutoConfiguration.class)
@ConditionalOnClass(HealthIndicator.class)
@ConditionalOnBean(RecordStore.class)
@ConditionalOnBooleanProperty(name = "once.enabled", matchIfMissing = true)
@ConditionalOnEnabledHealthIndicator("once")
class OnceHealthAutoConfiguration {
  @Bean
  OnceHealthIndicator onceHealthIndicator(RecordStore store) {
    return new OnceHealthIndicator(store);
  }
}
