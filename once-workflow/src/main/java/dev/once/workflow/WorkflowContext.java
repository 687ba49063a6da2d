package dev.once.workflow;

import dev.once.Effect;
import dev.once.steps.RunId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the code of a workflow does durably. Each call is an entry in the history of the run, under
 * its place in the code; when the code is called again, a call that is done returns what it
 * returned before. A call that has to wait ends the code by an {@code Error}, which must not be
 * caught; the code is called again when there is a reason.
 *
 * <p>Use it on the thread that it was given to. A call on another thread stops the activation.
 */
public interface WorkflowContext {
  /** Returns the name of this run. */
  RunId run();

  /**
   * Runs {@code effect} and records its value. After a crash during the effect it runs again,
   * unless the step {@linkplain WorkflowStep#asking asks}.
   *
   * @throws StepFailedException if the attempts of the step are used up
   */
  <T extends @Nullable Object> T step(WorkflowStep<T> step, Effect<T, ?> effect);

  /**
   * Does the same for an effect that works on {@code input}, JSON whose hash is recorded: a later
   * call with another input is refused as a change of the code.
   */
  <T extends @Nullable Object> T step(WorkflowStep<T> step, String input, Effect<T, ?> effect);

  /**
   * Runs {@code effect} in a database transaction that also records its value: what it writes
   * happens exactly once.
   *
   * @throws StepFailedException if the attempts of the step are used up
   */
  <T extends @Nullable Object> T transaction(WorkflowStep<T> step, TransactionalEffect<T> effect);

  /** Waits, without a thread, until {@code time} has passed since the first call. */
  void sleep(Duration time);

  /** Waits, without a thread, until {@code time} by the database's clock. */
  void sleepUntil(Instant time);

  /** Waits for a signal and returns its value. Signals of one name are received in their order. */
  <T> T awaitSignal(SignalType<T> type);

  /** Waits for a signal for {@code timeout}; empty if none arrived. */
  <T> Optional<T> awaitSignal(SignalType<T> type, Duration timeout);

  /**
   * Starts a run of another workflow in this run's tenant, waits for its end and returns its value.
   *
   * @throws StepFailedException if it failed or was cancelled
   */
  <I extends @Nullable Object, O extends @Nullable Object> O child(
      Workflow<I, O> workflow, String run, I input);

  /**
   * Runs {@code branches} at the same time and returns their values. If one fails, the others still
   * run to their end; then the failure of the first in the list that failed is thrown.
   *
   * @throws Exception what that branch threw
   */
  <T extends @Nullable Object> List<T> all(List<Branch<T>> branches) throws Exception;

  /**
   * Runs {@code branches} at the same time and returns the value of the first that ends without a
   * failure. The others are interrupted, and do not continue; children that they wait for are
   * cancelled. Steps that they finished are done.
   *
   * @throws Exception what the first branch in the list threw, if all failed
   */
  <T extends @Nullable Object> T any(List<Branch<T>> branches) throws Exception;
}
