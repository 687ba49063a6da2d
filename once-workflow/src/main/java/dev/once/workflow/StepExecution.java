package dev.once.workflow;

import dev.once.Execution;
import dev.once.Key;
import java.util.function.BooleanSupplier;

/** A step, as its effect sees it. */
record StepExecution(Key key, long fence, int attempt, BooleanSupplier lost) implements Execution {
  @Override
  public boolean leaseLost() {
    return lost.getAsBoolean();
  }
}
