package dev.once.spring;

import dev.once.http.HttpOnce;
import dev.once.servlet.CallerResolver;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.TimeMeter;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Limits each caller's writes, if the application enables that. */
@AutoConfiguration(after = OnceWebAutoConfiguration.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnBooleanProperty("once.rate-limit.enabled")
@ConditionalOnBooleanProperty(name = "once.enabled", matchIfMissing = true)
class OnceRateLimitAutoConfiguration {
  /** After authentication, which identifies the caller, and before any call of the store. */
  static final int FILTER_ORDER = OnceWebAutoConfiguration.FILTER_ORDER - 10;

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(Bucket.class)
  @EnableConfigurationProperties(RateLimitProperties.class)
  static class WithBucket4j {
    @Bean
    FilterRegistrationBean<RateLimitFilter> onceRateLimit(
        RateLimitProperties settings, CallerResolver callers, HttpOnce http) {
      RateLimits limits = new RateLimits(settings, TimeMeter.SYSTEM_NANOTIME);
      FilterRegistrationBean<RateLimitFilter> registration =
          new FilterRegistrationBean<>(new RateLimitFilter(limits, callers, http));
      registration.setOrder(FILTER_ORDER);
      return registration;
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnMissingClass("io.github.bucket4j.Bucket")
  static class WithoutBucket4j {
    WithoutBucket4j() {
      throw new MisconfiguredException(
          "once.rate-limit.enabled is true, but Bucket4j is not on the class path.",
          "Add the dependency com.bucket4j:bucket4j_jdk17-core, or set"
              + " once.rate-limit.enabled=false.");
    }
  }
}
