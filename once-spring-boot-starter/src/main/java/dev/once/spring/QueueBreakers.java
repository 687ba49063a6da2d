package dev.once.spring;

import java.util.function.BooleanSupplier;

/** The circuit breakers around the services that job handlers call. */
@FunctionalInterface
interface QueueBreakers {
  /**
   * Returns a supplier that is true while a breaker refuses calls.
   *
   * @throws MisconfiguredException if there is no breaker of that name
   */
  BooleanSupplier isOpen(String name);
}
