package dev.once.steps;

import dev.once.Key;
import dev.once.spi.Limits;

/**
 * Names one run of a workflow. Whoever starts the same run again, after a crash or because a
 * message came twice, uses the same name, and finds the steps that are done.
 *
 * @param tenant the organization, 1 to 128 characters
 * @param value the run, 1 to 255 characters
 */
public record RunId(String tenant, String value) {
  public static final int MAX_CHARS = 255;

  private static final String SCOPE = "step:";

  public RunId {
    Limits.text("tenant", tenant, 1, Key.MAX_TENANT_CHARS);
    Limits.text("run", value, 1, MAX_CHARS);
  }

  /** The scope in which keys of this run's steps are unique. */
  public String scope() {
    return SCOPE + value;
  }
}
