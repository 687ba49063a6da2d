package dev.once.steps;

import dev.once.BeginResult;
import dev.once.Effect;
import dev.once.EffectRunner;
import dev.once.Once;
import dev.once.Result;
import dev.once.StoreException;
import dev.once.Terms;
import dev.once.json.Fingerprinter;
import dev.once.spi.RecordStore;
import java.time.Duration;
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
public final class Steps implements StepRunner {
  private static final Fingerprinter DEFAULT =
      Fingerprinter.builder().json(Inputs.withoutVolatileTimes()).build();

  /**
   * The default terms of steps. They are remembered for longer than a run is retried: a run that
   * comes back after its steps were forgotten would repeat them.
   */
  public static final Terms TERMS =
      Terms.DEFAULT.withRetention(Duration.ofDays(30), Duration.ofDays(30));

  private final Once once;
  private final EngineSteps steps;

  private Steps(Once once, Fingerprinter inputs, Terms terms) {
    this.once = once;
    this.steps = new EngineSteps(once, inputs, terms);
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
    return new Steps(once, inputs, TERMS);
  }

  /**
   * Returns these steps inside a transaction of the caller: the writes of a step and its value are
   * committed together or not at all. See {@link Once#joining}.
   */
  public StepRunner joining(RecordStore transaction) {
    return through(once.joining(transaction));
  }

  /** Returns the same steps, run by another engine over the same records. */
  public StepRunner through(EffectRunner other) {
    return new EngineSteps(other, steps.inputs(), steps.terms());
  }

  /** Returns the same steps with other terms for those that have none of their own. */
  public Steps withTerms(Terms terms) {
    return new Steps(once, steps.inputs(), terms);
  }

  @Override
  public <T extends @Nullable Object, X extends Exception> Result<T> run(
      RunId run, Step<T> step, String input, Effect<T, X> effect) throws X {
    return steps.run(run, step, input, effect);
  }

  /**
   * Claims like {@link #run}, and leaves the execution to the caller: for effects that end on
   * another thread than they started on. A started execution has to be ended, or the step stays
   * held.
   *
   * @throws StoreException if the store failed: there is nothing to execute
   */
  public <T extends @Nullable Object> BeginResult<T> begin(RunId run, Step<T> step, String input) {
    return once.begin(steps.request(run, step, input));
  }
}
