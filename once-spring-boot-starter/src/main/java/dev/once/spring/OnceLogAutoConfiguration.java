package dev.once.spring;

import dev.once.events.EventStore;
import dev.once.inbox.Inbox;
import dev.once.jobs.Jobs;
import dev.once.webhooks.WebhookSender;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Logs the events of requests, effects, jobs, webhooks and consumers; levels are set by the names
 * of the classes.
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

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(WebhookSender.class)
  static class OfSentWebhooks {
    @Bean
    WebhookLog onceWebhookLog() {
      return new WebhookLog();
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(EventStore.class)
  @ConditionalOnBooleanProperty(name = "once.events.enabled", matchIfMissing = true)
  static class OfEvents {
    @Bean
    ConsumerLog onceConsumerLog() {
      return new ConsumerLog();
    }

    @Bean
    RelayLog onceRelayLog() {
      return new RelayLog();
    }
  }
}
