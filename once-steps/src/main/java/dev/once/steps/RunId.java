package dev.once.steps;

import dev.once.Key;
import dev.once.internal.Limits;

/**
 * Names one run of a workflow. A caller that starts the same run again, after a crash or because a
 * message arrived twice, uses the same name, and the steps that are done are replayed.
 *
 * @param tenant the organization, 1 to 128 characters
 * @param value the run, 1 to 255 characters that may be seen in logs
 */
public record RunId(String tenant, String value) {
  public static final int MAX_CHARS = 255;

  private static final String SCOPE = "step:";

  public RunId {
    Limits.text("tenant", tenant, 1, Key.MAX_TENANT_CHARS);
    Limits.text("run", value, 1, MAX_CHARS);
    if (value.chars().anyMatch(Character::isISOControl)) { // Logs contain it, as part of the scope.
      throw new IllegalArgumentException("run must not contain control characters");
    }
  }

  /** Returns the scope in which the keys of this run's steps are unique. */
  public String scope() {
    return SCOPE + value;
  }
}
