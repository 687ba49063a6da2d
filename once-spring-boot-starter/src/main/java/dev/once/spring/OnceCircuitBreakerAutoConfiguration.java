package dev.once.spring;

import dev.once.http.HttpOnce;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Refuses operations while most of them fail, if the application enables that. */
@AutoConfiguration(after = OnceWebAutoConfiguration.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnBooleanProperty("once.circuit-breaker.enabled")
@ConditionalOnBooleanProperty(name = "once.enabled", matchIfMissing = true)
class OnceCircuitBreakerAutoConfiguration {
  /** Behind the filter that answers replays. */
  static final int FILTER_ORDER = OnceWebAutoConfiguration.FILTER_ORDER + 10;

  /**
   * The breaker's bean. An application may bring its own under this name; breakers under other
   * names guard other things.
   */
  static final String BREAKER = "onceCircuitBreaker";

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(CircuitBreaker.class)
  @EnableConfigurationProperties(CircuitBreakerProperties.class)
  static class WithResilience4j {
    @Bean(BREAKER)
    @ConditionalOnMissingBean(name = BREAKER)
    CircuitBreaker onceCircuitBreaker(CircuitBreakerProperties settings) {
      return CircuitBreaker.of(
          "once",
          CircuitBreakerConfig.custom()
              .failureRateThreshold(settings.failureRate())
              .slidingWindowSize(settings.window())
              .minimumNumberOfCalls(settings.minimumCalls())
              .waitDurationInOpenState(settings.openFor())
              .build());
    }

    @Bean
    FilterRegistrationBean<CircuitBreakerFilter> onceCircuitBreakerFilter(
        @Qualifier(BREAKER) CircuitBreaker breaker, HttpOnce http) {
      FilterRegistrationBean<CircuitBreakerFilter> registration =
          new FilterRegistrationBean<>(new CircuitBreakerFilter(breaker, http));
      registration.setOrder(FILTER_ORDER);
      return registration;
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnMissingClass("io.github.resilience4j.circuitbreaker.CircuitBreaker")
  static class WithoutResilience4j {
    WithoutResilience4j() {
      throw new MisconfiguredException(
          "once.circuit-breaker.enabled is true, but Resilience4j is not on the class path.",
          "Add the dependency io.github.resilience4j:resilience4j-circuitbreaker, or set"
              + " once.circuit-breaker.enabled=false.");
    }
  }
}
