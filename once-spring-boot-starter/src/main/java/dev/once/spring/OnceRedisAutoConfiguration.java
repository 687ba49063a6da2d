package dev.once.spring;

import dev.once.Sealing;
import dev.once.StoreException;
import dev.once.redis.RedisRecordStore;
import dev.once.spi.RecordStore;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** Keeps records in Redis, if the application chooses that. */
@AutoConfiguration(before = OnceAutoConfiguration.class)
@ConditionalOnProperty(name = "once.store", havingValue = "redis")
@ConditionalOnBooleanProperty(name = "once.enabled", matchIfMissing = true)
class OnceRedisAutoConfiguration {
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(RedisRecordStore.class)
  @EnableConfigurationProperties(RedisProperties.class)
  static class WithRedisModule {
    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean(RecordStore.class)
    RedisRecordStore onceRecordStore(
        RedisProperties settings, ObjectProvider<Sealing> sealing, Environment environment) {
      try {
        return RedisRecordStore.builder(RedisAddress.of(settings, environment, "once.store=redis"))
            .prefix("once-" + settings.environment())
            .sealing(sealing.getIfUnique(() -> Sealing.NONE))
            .build();
      } catch (IllegalArgumentException e) {
        throw new MisconfiguredException(
            String.valueOf(e.getMessage()) + ".", "Change once.redis.environment.");
      } catch (StoreException e) {
        MisconfiguredException misconfigured =
            new MisconfiguredException(
                "Redis, which records are kept in, cannot be reached.",
                "Start it, or change once.redis.url.");
        misconfigured.initCause(e);
        throw misconfigured;
      }
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnMissingClass("dev.once.redis.RedisRecordStore")
  static class WithoutRedisModule {
    /** A bean, because the engine asks for one before other configurations are created. */
    @Bean
    @ConditionalOnMissingBean(RecordStore.class)
    RecordStore onceRecordStore() {
      throw new MisconfiguredException(
          "once.store is redis, but once-redis is not on the class path.",
          "Add the dependency dev.once:once-redis, or leave out once.store.");
    }
  }
}
