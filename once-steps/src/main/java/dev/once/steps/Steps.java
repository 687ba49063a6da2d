package dev.once.steps;

import dev.once.BeginResult;
import dev.once.Effect;
import dev.once.Fingerprint;
import dev.once.LeaseLostException;
import dev.once.Once;
import dev.once.OutcomeUnknownException;
import dev.once.Request;
import dev.once.Result;
import dev.once.StoreException;
import dev.once.Terms;
import dev.once.json.Fingerprinter;
import dev.once.json.JsonRefusedException;
import dev.once.spi.RecordStore;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Runs the steps of workflows, each once. A step that is done is replayed with its value, so a
 * workflow is ordinary code: after a crash, run it again from its first line, and it continues
 * after the last finished step.
 *
 * <p>A step is identified by its run, its name and its input. The same step with another input is
 * another step: both are run, and {@link RunHistory} shows both.
 *
 * <p>Thread-safe, and nothing is bound to a thread: call it from plain threads, virtual threads or
 * callbacks of an executor.
 */
public final class Steps {
  private static final Fingerprinter DEFAULT =
      Fingerprinter.builder().json(Inputs.withoutVolatileTimes()).build();

  private final Once once;
  private final Fingerprinter inputs;

  private final Terms terms;

  private Steps(Once once, Fingerprinter inputs, Terms terms) {
    this.once = once;
    this.inputs = inputs;
    this.terms = terms;
  }

  /**
   * Returns steps that {@code once} runs; inputs are compared without {@link Inputs#VOLATILE}
   * times.
   */
  public static Steps over(Once once) {
    return over(once, DEFAULT);
  }

  /**
   * Returns steps whose inputs are the same if {@code inputs} gives them the same fingerprint. The
   * fingerprint is part of a step's key: if the fingerprinter or its secret changes while runs are
   * unfinished, their finished steps become new steps and run again.
   */
  public static Steps over(Once once, Fingerprinter inputs) {
    return new Steps(once, inputs, Terms.DEFAULT);
  }

  /**
   * Returns these steps inside a transaction of the caller: the writes of a step and its value are
   * committed together or not at all. See {@link Once#joining}.
   */
  public Steps joining(RecordStore transaction) {
    return through(once.joining(transaction));
  }

  /** Returns the same steps, run by another engine over the same records. */
  public Steps through(Once other) {
    return new Steps(other, inputs, terms);
  }

  /** Returns the same steps with other terms for those that have none of their own. */
  public Steps withTerms(Terms terms) {
    return new Steps(once, inputs, terms);
  }

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
  public <T extends @Nullable Object, X extends Exception> Result<T> run(
      RunId run, Step<T> step, String input, Effect<T, X> effect) throws X {
    return once.run(request(run, step, input), effect);
  }

  /**
   * Claims like {@link #run}, and leaves the execution to the caller: for effects that end on
   * another thread than they started on. A started execution has to be ended, or the step stays
   * held.
   *
   * @throws StoreException if the store failed: there is nothing to execute
   */
  public <T extends @Nullable Object> BeginResult<T> begin(RunId run, Step<T> step, String input) {
    return once.begin(request(run, step, input));
  }

  private <T extends @Nullable Object> Request<T> request(RunId run, Step<T> step, String input) {
    Fingerprint fingerprint = inputs.json(input.getBytes(StandardCharsets.UTF_8));
    return step.request(run, fingerprint, terms);
  }
}
