package dev.once.workflow;

import dev.once.OnceException;
import org.jspecify.annotations.Nullable;

/**
 * A step, or a child run, has failed for good. It may have had effects. Code that catches this goes
 * on; otherwise the run fails. When the code is called again the cause is missing, because only the
 * message is stored.
 */
public final class StepFailedException extends OnceException {
  private static final long serialVersionUID = 1L;
  private final String name;

  StepFailedException(String name, String reason, @Nullable Throwable cause) {
    super(name + " failed: " + reason, cause);
    this.name = name;
  }

  /** Returns the name of the step, or of the child's workflow. */
  public String name() {
    return name;
  }
}
