package dev.once.spring;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreaker.State;
import java.time.Duration;

/** Tells how long a breaker stays open. The breaker knows, but does not say. */
final class BreakerOpenTime {
  private final CircuitBreaker breaker;
  private volatile long openedNanos = System.nanoTime();

  BreakerOpenTime(CircuitBreaker breaker) {
    this.breaker = breaker;
    breaker
        .getEventPublisher()
        .onStateTransition(
            event -> {
              if (event.getStateTransition().getToState() == State.OPEN) {
                openedNanos = System.nanoTime();
              }
            });
  }

  /** The time left; zero if it was open long enough and lets some operations through again. */
  Duration left() {
    long wait = breaker.getCircuitBreakerConfig().getWaitIntervalFunctionInOpenState().apply(1);
    Duration left = Duration.ofMillis(wait).minusNanos(System.nanoTime() - openedNanos);
    return left.isNegative() ? Duration.ZERO : left;
  }
}
