package dev.once.spring;

import dev.once.spi.Purge;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings under {@code once.purge}.
 *
 * @param enabled Whether this application removes expired records.
 * @param every How long it pauses between two runs, give or take a tenth.
 * @param batch How many records one statement removes at most.
 * @param maxBatches How many statements one run sends at most.
 */
@ConfigurationProperties("once.purge")
public record PurgeProperties(
    @DefaultValue("true") boolean enabled,
    @DefaultValue("1h") Duration every,
    @DefaultValue("1000") int batch,
    @DefaultValue("1000") int maxBatches) {
  private static final Duration SHORTEST = Duration.ofMillis(10);
  private static final Duration LONGEST = Duration.ofDays(30);

  public PurgeProperties {
    if (every.compareTo(SHORTEST) < 0 || every.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException("once.purge.every must be 10 ms to 30 days, got " + every);
    }
    if (maxBatches < 1) {
      throw new IllegalArgumentException(
          "once.purge.max-batches must be 1 or more, got " + maxBatches);
    }
    Purge.ofEveryTenant(batch); // Refuses a batch out of range.
  }

  /** What one statement removes. */
  Purge step() {
    return Purge.ofEveryTenant(batch);
  }
}
