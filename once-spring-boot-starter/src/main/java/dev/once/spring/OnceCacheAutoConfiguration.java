package dev.once.spring;

import dev.once.cache.NearCache;
import dev.once.spi.OutcomeCache;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Configures the near cache, if the application enables it. */
@AutoConfiguration(before = OnceAutoConfiguration.class)
@ConditionalOnBooleanProperty("once.cache.enabled")
@ConditionalOnBooleanProperty(name = "once.enabled", matchIfMissing = true)
class OnceCacheAutoConfiguration {
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(NearCache.class)
  @EnableConfigurationProperties(CacheProperties.class)
  static class WithCacheModule {
    @Bean
    @ConditionalOnMissingBean(OutcomeCache.class)
    NearCache onceCache(
        CacheProperties settings,
        @Qualifier(OnceRedisCacheAutoConfiguration.CACHE) ObjectProvider<OutcomeCache> shared) {
      try {
        return NearCache.builder()
            .maxBytes(settings.maxSize().toBytes())
            .maxAge(settings.maxAge())
            .shared(shared.getIfUnique(() -> OutcomeCache.NONE))
            .build();
      } catch (IllegalArgumentException e) {
        throw new MisconfiguredException(
            String.valueOf(e.getMessage()) + ".", "Change once.cache.");
      }
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnMissingClass("dev.once.cache.NearCache")
  static class WithoutCacheModule {
    WithoutCacheModule() {
      throw new MisconfiguredException(
          "once.cache.enabled is true, but once-cache is not on the class path.",
          "Add the dependency dev.once:once-cache, or set once.cache.enabled=false.");
    }
  }
}
