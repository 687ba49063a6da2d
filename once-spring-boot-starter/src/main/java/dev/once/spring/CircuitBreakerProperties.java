package dev.once.spring;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings under {@code once.circuit-breaker}.
 *
 * @param enabled Whether operations are refused while most of them fail; replays are still
 *     answered. Needs Resilience4j.
 * @param failureRate The percentage of operations that must fail before operations are refused.
 * @param window How many of the latest operations the rate is computed from.
 * @param minimumCalls How many operations must end before a rate is computed.
 * @param openFor How long operations are refused before some are tried again.
 */
@ConfigurationProperties("once.circuit-breaker")
public record CircuitBreakerProperties(
    @DefaultValue("false") boolean enabled,
    @DefaultValue("50") int failureRate,
    @DefaultValue("100") int window,
    @DefaultValue("20") int minimumCalls,
    @DefaultValue("30s") Duration openFor) {
  private static final Duration LONGEST = Duration.ofDays(1);
  private static final int MAX_WINDOW = 100_000;

  public CircuitBreakerProperties {
    range("failure-rate", failureRate, 100);
    range("window", window, MAX_WINDOW);
    range("minimum-calls", minimumCalls, window);
    if (openFor.compareTo(Duration.ofMillis(1)) < 0 || openFor.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "once.circuit-breaker.open-for must be 1 ms to 1 day, got " + openFor);
    }
  }

  private static void range(String name, int value, int max) {
    if (value < 1 || value > max) {
      throw new IllegalArgumentException(
          "once.circuit-breaker.%s must be 1 to %d, got %d".formatted(name, max, value));
    }
  }
}
