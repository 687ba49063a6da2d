package dev.once.steps;

import dev.once.Fingerprint;

/**
 * The value of a step's key: {@code name@inputHash}. The hash contains no {@code @}, so the last
 * one is the separator, whatever the name contains.
 */
record StepKey(String name, String inputHash) {
  private static final char SEPARATOR = '@';

  static String of(String name, Fingerprint input) {
    return name + SEPARATOR + input.digest();
  }

  static StepKey parse(String value) {
    int index = value.lastIndexOf(SEPARATOR);
    if (index < 0) { // Not the key of a step, but in the scope of a run.
      return new StepKey(value, "");
    }
    return new StepKey(value.substring(0, index), value.substring(index + 1));
  }
}
