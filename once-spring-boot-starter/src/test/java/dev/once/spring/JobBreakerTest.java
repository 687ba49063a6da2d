package dev.once.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.spring.JobShop.Desk;
import dev.once.spring.JobShop.Handlers;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** A queue pauses while the circuit breaker of its handlers is open. */
@Timeout(60)
class JobBreakerTest {
  @Configuration(proxyBeanMethods = false)
  @Import(JobShop.class)
  static class WithBreaker {
    @Bean
    CircuitBreaker provider() {
      return CircuitBreaker.of("provider", openFor(Duration.ofHours(1)));
    }
  }

  @Configuration(proxyBeanMethods = false)
  @Import(JobShop.class)
  static class WithRegistry {
    @Bean
    CircuitBreakerRegistry breakers() {
      CircuitBreakerRegistry registry = CircuitBreakerRegistry.of(openFor(Duration.ofMillis(1)));
      registry.circuitBreaker("provider");
      return registry;
    }
  }

  // A15
  @Test
  void takesNoJobsWhileItsBreakerIsOpen() {
    try (App app = start(WithBreaker.class)) {
      CircuitBreaker breaker = app.bean(CircuitBreaker.class);
      List<CircuitBreaker.State> seen = new ArrayList<>();
      app.bean(Handlers.class).afterwards.put("scarf", run -> seen.add(breaker.getState()));
      breaker.transitionToOpenState();
      app.bean(Desk.class).take(JobShop.confirm("scarf"));
      app.bean(Desk.class).take(JobShop.place("boots"));
      app.awaitJob("boots", "done");

      app.awaitJob("scarf", "ready");
      breaker.transitionToClosedState();
      app.awaitJob("scarf", "done");
      assertThat(seen).containsExactly(CircuitBreaker.State.CLOSED);
    }
  }

  // A15
  @Test
  void chargesNoTryToAJobThatFailsWhileItsBreakerIsOpen() {
    try (App app = start(WithBreaker.class)) {
      CircuitBreaker breaker = app.bean(CircuitBreaker.class);
      List<Integer> attempts = new ArrayList<>();
      app.bean(Handlers.class)
          .afterwards
          .put(
              "scarf",
              run -> {
                attempts.add(run.attempt());
                if (attempts.size() == 1) {
                  breaker.transitionToOpenState();
                  throw new IllegalStateException("the provider does not answer");
                }
              });
      app.bean(Desk.class).take(JobShop.confirm("scarf"));
      app.awaitJob("scarf", "waiting");
      breaker.transitionToClosedState();
      app.awaitJob("scarf", "done");

      assertThat(attempts).containsExactly(1, 1);
    }
  }

  @Test
  void retriesAfterAPauseWithoutAnotherCall() {
    try (App app = start(WithRegistry.class)) {
      app.bean(CircuitBreakerRegistry.class).circuitBreaker("provider").transitionToOpenState();
      app.bean(Desk.class).take(JobShop.confirm("scarf"));

      app.awaitJob("scarf", "done");
    }
  }

  private static App start(Class<?> application) {
    return App.start(
        application,
        "once.jobs.poll-interval=20ms",
        "once.jobs.queues.mail.circuit-breaker=provider");
  }

  private static CircuitBreakerConfig openFor(Duration time) {
    return CircuitBreakerConfig.custom().waitDurationInOpenState(time).build();
  }
}
