package dev.once.spring;

import dev.once.Sealing;
import dev.once.redis.NearCache;
import dev.once.spi.OutcomeCache;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** Configures the near cache, if the application enables it. */
@AutoConfiguration(before = OnceAutoConfiguration.class)
@ConditionalOnBooleanProperty("once.cache.enabled")
@ConditionalOnBooleanProperty(name = "once.enabled", matchIfMissing = true)
class OnceCacheAutoConfiguration {
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(NearCache.class)
  @EnableConfigurationProperties({CacheProperties.class, RedisProperties.class})
  static class WithRedisModule {
    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean(OutcomeCache.class)
    NearCache onceCache(
        CacheProperties settings,
        RedisProperties redis,
        ObjectProvider<Sealing> sealing,
        Environment environment) {
      try {
        NearCache.Builder cache =
            NearCache.builder()
                .maxBytes(settings.maxSize().toBytes())
                .maxAge(settings.maxAge())
                .sealing(sealing.getIfUnique(() -> Sealing.NONE));
        if (settings.redis()) {
          cache.redis(RedisAddress.of(redis, environment, "once.cache.redis"), redis.environment());
        }
        return cache.build();
      } catch (IllegalArgumentException e) {
        throw new MisconfiguredException(
            String.valueOf(e.getMessage()) + ".", "Change once.cache or once.redis.environment.");
      }
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnMissingClass("dev.once.redis.NearCache")
  static class WithoutRedisModule {
    WithoutRedisModule() {
      throw new MisconfiguredException(
          "once.cache.enabled is true, but once-redis is not on the class path.",
          "Add the dependency dev.once:once-redis, or set once.cache.enabled=false.");
    }
  }
}
