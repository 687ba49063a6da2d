package dev.once.spring;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.context.annotation.Bean;

/**
 * Logs the events of requests, effects, jobs and webhooks; levels are set by the names of the
 * classes.
 */
@AutoConfiguration
@ConditionalOnBooleanProperty(name = "once.enabled", matchIfMissing = true)
class OnceLogAutoConfiguration {
  @Bean
  ExchangeLog onceExchangeLog() {
    return new ExchangeLog();
  }

  @Bean
  EngineLog onceEngineLog() {
    return new EngineLog();
  }

  @Bean
  @ConditionalOnBooleanProperty(name = "once.jobs.enabled", matchIfMissing = true)
  JobLog onceJobLog() {
    return new JobLog();
  }

  @Bean
  InboxLog onceInboxLog() {
    return new InboxLog();
  }
}
