package dev.once.spring;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreaker.State;
import java.time.Duration;

/** Measures how long a breaker stays open, which the breaker itself does not expose. */
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

  /**
   * Returns the time left; zero if the breaker was open long enough and admits operations again.
   */
  Duration left() {
    long wait = breaker.getCircuitBreakerConfig().getWaitIntervalFunctionInOpenState().apply(1);
    Duration left = Duration.ofMillis(wait).minusNanos(System.nanoTime() - openedNanos);
    return left.isNegative() ? Duration.ZERO : left;
  }
}
