package dev.once.spring;

import dev.once.cache.NearCache;
import dev.once.events.EventStore;
import dev.once.inbox.Inbox;
import dev.once.inbox.Provider;
import dev.once.jdbc.JdbcRecordStore;
import dev.once.jobs.Jobs;
import dev.once.kafka.KafkaEventSource;
import dev.once.redis.RedisCache;
import dev.once.webhooks.WebhookSender;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Registers metrics with Micrometer, if the application has it. */
@AutoConfiguration(
    after = {
      OncePurgeAutoConfiguration.class,
      OnceJobsAutoConfiguration.class,
      OnceKafkaAutoConfiguration.class
    },
    afterName =
        "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration")
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBean(MeterRegistry.class)
@ConditionalOnBooleanProperty(name = "once.enabled", matchIfMissing = true)
class OnceMetricsAutoConfiguration {
  @Bean
  ExchangeMetrics onceExchangeMetrics(MeterRegistry registry) {
    return new ExchangeMetrics(registry, new TenantTags());
  }

  @Bean
  ReplayMetrics onceReplayMetrics(MeterRegistry registry) {
    return new ReplayMetrics(registry);
  }

  @Bean
  EngineMetrics onceEngineMetrics(MeterRegistry registry) {
    return new EngineMetrics(registry);
  }

  @Bean
  DuplicateMetrics onceDuplicateMetrics(MeterRegistry registry) {
    return new DuplicateMetrics(registry);
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(Inbox.class)
  static class OfTheInbox {
    @Bean
    @ConditionalOnBean(Provider.class)
    InboxMetrics onceInboxMetrics(MeterRegistry registry, List<Provider> providers) {
      return new InboxMetrics(registry, providers);
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(WebhookSender.class)
  static class OfSentWebhooks {
    @Bean
    @ConditionalOnBooleanProperty(name = "once.webhooks.enabled", matchIfMissing = true)
    WebhookMetrics onceWebhookMetrics(MeterRegistry registry) {
      return new WebhookMetrics(registry);
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(Jobs.class)
  static class OfJobs {
    @Bean
    @ConditionalOnBooleanProperty(name = "once.jobs.enabled", matchIfMissing = true)
    JobMetrics onceJobMetrics(MeterRegistry registry) {
      return new JobMetrics(registry);
    }

    @Bean
    @ConditionalOnBean(Jobs.class)
    JobGauges onceJobGauges() {
      return new JobGauges();
    }

    @Bean
    @ConditionalOnBean(Jobs.class)
    JobCount onceJobCount(Jobs jobs, JobGauges gauges) {
      return new JobCount(jobs, gauges);
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(EventStore.class)
  @ConditionalOnBooleanProperty(name = "once.events.enabled", matchIfMissing = true)
  static class OfEvents {
    @Bean
    ConsumerMetrics onceConsumerMetrics(MeterRegistry registry) {
      return new ConsumerMetrics(registry);
    }

    @Bean
    RelayMetrics onceRelayMetrics(MeterRegistry registry) {
      return new RelayMetrics(registry);
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass({EventStore.class, KafkaEventSource.class})
  @ConditionalOnBean(EventConsumers.class)
  static class OfKafka {
    @Bean
    ConsumerGauges onceConsumerGauges(EventConsumers consumers) {
      return new ConsumerGauges(consumers);
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(NearCache.class)
  @ConditionalOnBean(NearCache.class)
  static class OfTheCache {
    @Bean
    CacheMetrics onceCacheMetrics(NearCache cache) {
      return new CacheMetrics(cache);
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(RedisCache.class)
  @ConditionalOnBean(name = OnceRedisCacheAutoConfiguration.CACHE)
  static class OfTheCacheInRedis {
    @Bean
    RedisCacheMetrics onceRedisCacheMetrics(
        @Qualifier(OnceRedisCacheAutoConfiguration.CACHE) RedisCache cache) {
      return new RedisCacheMetrics(cache);
    }
  }

  @Bean
  @ConditionalOnBean(JdbcRecordStore.class)
  EntriesGauge onceEntriesGauge(JdbcRecordStore store) {
    return new EntriesGauge(store);
  }

  @Bean
  @ConditionalOnBean({JdbcRecordStore.class, PurgeSchedule.class})
  StaleGauge onceStaleGauge(JdbcRecordStore store) {
    return new StaleGauge(store);
  }
}
