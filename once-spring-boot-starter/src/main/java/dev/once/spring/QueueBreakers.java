package dev.once.spring;

import java.util.function.BooleanSupplier;

/** The circuit breakers around what handlers of jobs call. */
@FunctionalInterface
interface QueueBreakers {
  /**
   * Tells whether a breaker refuses calls.
   *
   * @throws MisconfiguredException if there is no breaker of that name
   */
  BooleanSupplier isOpen(String name);
}
