package dev.once.steps;

import dev.once.Effect;
import dev.once.LeaseLostException;
import dev.once.OutcomeUnknownException;
import dev.once.Result;
import dev.once.StoreException;
import dev.once.json.JsonRefusedException;
import org.jspecify.annotations.Nullable;

/** Runs the steps of workflows, each once: {@link Steps}, or its part inside a transaction. */
public interface StepRunner {
  /**
   * Runs {@code effect} if this step of the run is not done, and otherwise returns the recorded
   * value. {@link Result.Held} means that another call executes the step now: nothing was done
   * here, and the run should be repeated later.
   *
   * @param input what the step works on, as JSON
   * @throws X what the effect threw, unwrapped
   * @throws JsonRefusedException if the input is not JSON with one meaning
   * @throws StoreException if the store failed before the effect: it did not run
   * @throws OutcomeUnknownException if the effect ran and its outcome could not be recorded
   * @throws LeaseLostException if another call took over before this one could record its outcome
   */
  <T extends @Nullable Object, X extends Exception> Result<T> run(
      RunId run, Step<T> step, String input, Effect<T, X> effect) throws X;
}
