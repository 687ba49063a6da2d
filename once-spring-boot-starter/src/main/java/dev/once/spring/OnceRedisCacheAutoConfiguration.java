package dev.once.spring;

import dev.once.Sealing;
import dev.once.redis.RedisCache;
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

/** Configures the Redis tier of the near cache, if the application chooses it. */
@AutoConfiguration(before = OnceCacheAutoConfiguration.class)
@ConditionalOnBooleanProperty({"once.cache.enabled", "once.cache.redis"})
@ConditionalOnBooleanProperty(name = "once.enabled", matchIfMissing = true)
class OnceRedisCacheAutoConfiguration {
  static final String CACHE = "onceRedisCache";

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(RedisCache.class)
  @EnableConfigurationProperties(RedisProperties.class)
  static class WithRedisModule {
    // No default candidate: the cache of the engine is the near cache, which has this one inside.
    @Bean(name = CACHE, destroyMethod = "close", defaultCandidate = false)
    @ConditionalOnMissingBean(OutcomeCache.class)
    RedisCache onceRedisCache(
        RedisProperties settings, ObjectProvider<Sealing> sealing, Environment environment) {
      try {
        return RedisCache.connect(
            RedisAddress.of(settings, environment, "once.cache.redis"),
            settings.environment(),
            sealing.getIfUnique(() -> Sealing.NONE));
      } catch (IllegalArgumentException e) {
        throw new MisconfiguredException(
            String.valueOf(e.getMessage()) + ".", "Change once.redis.environment.");
      }
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnMissingClass("dev.once.redis.RedisCache")
  static class WithoutRedisModule {
    WithoutRedisModule() {
      throw new MisconfiguredException(
          "once.cache.redis is true, but once-redis is not on the class path.",
          "Add the dependency dev.once:once-redis, or set once.cache.redis=false.");
    }
  }
}
