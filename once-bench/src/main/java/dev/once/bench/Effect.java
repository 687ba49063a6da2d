package dev.once.bench;

import java.util.OptionalLong;

/** What has to happen once per key. */
@FunctionalInterface
interface Effect {
  /**
   * Makes it happen.
   *
   * @param fence rises with each owner of the key, where the contestant hands one out
   * @return the answer
   */
  String perform(OptionalLong fence) throws Exception;
}
