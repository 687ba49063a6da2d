package dev.once.testkit;

import java.util.SplittableRandom;

/**
 * A fault that occurs while a {@link ChaosCampaign} runs.
 *
 * @param name the name under which it is counted
 * @param isOutage whether the store answers no call while it lasts; outages occur one after the
 *     other
 * @param strike causes it, and returns when it is over
 */
public record ChaosFault(String name, boolean isOutage, Strike strike) {
  /** Causes a fault. */
  @FunctionalInterface
  public interface Strike {
    void strike(SplittableRandom random) throws Exception;
  }

  /** The store answers no call, for less time than a lease. */
  public static ChaosFault outage(String name, Strike strike) {
    return new ChaosFault(name, true, strike);
  }

  /** Some calls fail or are slow. */
  public static ChaosFault disturbance(String name, Strike strike) {
    return new ChaosFault(name, false, strike);
  }
}
