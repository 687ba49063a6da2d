package dev.once.spring;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreaker.State;
import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.springframework.beans.factory.ObjectProvider;

/** Circuit breakers of Resilience4j: beans of the application, or from its registries. */
record Resilience4jBreakers(
    ObjectProvider<CircuitBreaker> beans, ObjectProvider<CircuitBreakerRegistry> registries)
    implements QueueBreakers {
  @Override
  public BooleanSupplier isOpen(String name) {
    CircuitBreaker breaker =
        beans.stream()
            .filter(it -> it.getName().equals(name))
            .findFirst()
            .or(() -> registered(name))
            .orElseThrow(() -> missing(name));
    BreakerOpenTime open = new BreakerOpenTime(breaker);
    return () -> isOpen(breaker, open);
  }

  /** An open breaker becomes half-open only on a call, so after its time it counts as closed. */
  private static boolean isOpen(CircuitBreaker breaker, BreakerOpenTime open) {
    State state = breaker.getState();
    return state == State.FORCED_OPEN || (state == State.OPEN && !open.left().isZero());
  }

  private Optional<CircuitBreaker> registered(String name) {
    return registries.stream().flatMap(it -> it.find(name).stream()).findFirst();
  }

  private static MisconfiguredException missing(String name) {
    return new MisconfiguredException(
        "a queue of jobs pauses while the circuit breaker " + name + " is open, but there is none.",
        "Define a bean of type CircuitBreaker, or of type CircuitBreakerRegistry, that has a"
            + " breaker of this name.");
  }
}
