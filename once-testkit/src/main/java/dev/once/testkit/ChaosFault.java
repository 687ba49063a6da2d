package dev.once.testkit;

import java.util.SplittableRandom;

/**
 * Something that goes wrong while a {@link ChaosCampaign} runs.
 *
 * @param name what it is counted as
 * @param isOutage whether the store answers nobody while it lasts; outages come one after the other
 * @param strike does it, and returns when it is over
 */
public record ChaosFault(String name, boolean isOutage, Strike strike) {
  /** Does something harmful. */
  @FunctionalInterface
  public interface Strike {
    void strike(SplittableRandom random) throws Exception;
  }

  /** The store answers nobody, for less time than a lease. */
  public static ChaosFault outage(String name, Strike strike) {
    return new ChaosFault(name, true, strike);
  }

  /** Some calls fail or are slow. */
  public static ChaosFault disturbance(String name, Strike strike) {
    return new ChaosFault(name, false, strike);
  }
}
