package dev.once.spring;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings under {@code once.rate-limit}.
 *
 * @param enabled Whether each caller's writes are limited, before the store is called. Needs
 *     Bucket4j.
 * @param requests How many writes a caller may send in the time that "per" says.
 * @param per The time in which a caller's allowance is refilled.
 * @param maxCallers How many callers are remembered; the least recently seen one is forgotten.
 */
@ConfigurationProperties("once.rate-limit")
public record RateLimitProperties(
    @DefaultValue("false") boolean enabled,
    @DefaultValue("100") int requests,
    @DefaultValue("1m") Duration per,
    @DefaultValue("100000") int maxCallers) {
  private static final Duration LONGEST = Duration.ofDays(1);

  public RateLimitProperties {
    if (requests < 1) {
      throw new IllegalArgumentException(
          "once.rate-limit.requests must be 1 or more, got " + requests);
    }
    if (per.compareTo(Duration.ofMillis(1)) < 0 || per.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException("once.rate-limit.per must be 1 ms to 1 day, got " + per);
    }
    if (maxCallers < 1) {
      throw new IllegalArgumentException(
          "once.rate-limit.max-callers must be 1 or more, got " + maxCallers);
    }
  }
}
