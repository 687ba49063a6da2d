package dev.once.spring;

import dev.once.inbox.Inbox;
import dev.once.jobs.Jobs;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

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

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(Jobs.class)
  @ConditionalOnBooleanProperty(name = "once.jobs.enabled", matchIfMissing = true)
  static class OfJobs {
    @Bean
    JobLog onceJobLog() {
      return new JobLog();
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(Inbox.class)
  static class OfTheInbox {
    @Bean
    InboxLog onceInboxLog() {
      return new InboxLog();
    }
  }
}
