package dev.once.bench;

import java.util.OptionalLong;

/** The operation that must happen once per key. */
@FunctionalInterface
interface Effect {
  /**
   * Performs the effect.
   *
   * @param fence rises with each owner of the key, if the contestant has fences
   * @return the answer
   */
  String perform(OptionalLong fence) throws Exception;
}
