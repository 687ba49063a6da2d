package dev.once.workflow;

import dev.once.Codec;
import dev.once.Effect;
import dev.once.Reconciler;
import dev.once.internal.Limits;
import dev.once.jobs.Handler;
import dev.once.jobs.RetryPolicy;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One kind of step: its name, how its value is stored, and what happens when it fails. Immutable,
 * so it can be a constant: {@code static final WorkflowStep<String> RESERVE =
 * WorkflowStep.of("reserve", Codec.text())}.
 */
public final class WorkflowStep<T extends @Nullable Object> {
  public static final int MAX_NAME_CHARS = 128;

  private final String name;
  private final Codec<T> codec;
  private final RetryPolicy retries;
  private final Optional<Duration> deadline;
  private final Optional<Reconciler<T>> reconciler;
  private final Optional<Effect<?, ?>> compensation;

  private WorkflowStep(
      String name,
      Codec<T> codec,
      RetryPolicy retries,
      Optional<Duration> deadline,
      Optional<Reconciler<T>> reconciler,
      Optional<Effect<?, ?>> compensation) {
    Limits.text("step", name, 1, MAX_NAME_CHARS);
    this.name = name;
    this.codec = codec;
    this.retries = retries;
    this.deadline = deadline;
    this.reconciler = reconciler;
    this.compensation = compensation;
  }

  /** Returns a step that is retried for two weeks, and run again after a crash. */
  public static <T extends @Nullable Object> WorkflowStep<T> of(String name, Codec<T> codec) {
    return new WorkflowStep<>(
        name, codec, RetryPolicy.DEFAULT, Optional.empty(), Optional.empty(), Optional.empty());
  }

  public String name() {
    return name;
  }

  public Codec<T> codec() {
    return codec;
  }

  public RetryPolicy retries() {
    return retries;
  }

  /** Returns how long an attempt may take; empty for no limit. */
  public Optional<Duration> deadline() {
    return deadline;
  }

  /** Returns what finds out whether the effect happened when that is unknown. */
  public Optional<Reconciler<T>> reconciler() {
    return reconciler;
  }

  Optional<Effect<?, ?>> compensation() {
    return compensation;
  }

  /** Returns whether the history has to say that the effect begins, before it does. */
  boolean isAnnounced() {
    return reconciler.isPresent() || compensation.isPresent();
  }

  public WorkflowStep<T> withRetries(RetryPolicy retries) {
    return new WorkflowStep<>(name, codec, retries, deadline, reconciler, compensation);
  }

  /** Interrupts attempts that take longer than {@code deadline}; they count as failed. */
  public WorkflowStep<T> withDeadline(Duration deadline) {
    Limits.range("deadline", deadline, Handler.MIN_DEADLINE, Handler.MAX_DEADLINE);
    return new WorkflowStep<>(
        name, codec, retries, Optional.of(deadline), reconciler, compensation);
  }

  /**
   * Returns the same step for effects that must not be repeated: after a crash or a failure it does
   * not run again until {@code reconciler} has found out whether the effect happened.
   */
  public WorkflowStep<T> asking(Reconciler<T> reconciler) {
    return new WorkflowStep<>(
        name, codec, retries, deadline, Optional.of(reconciler), compensation);
  }

  /**
   * Undoes the step if the run fails or is cancelled later. The compensation is registered before
   * the step begins, so it also runs if the step failed or never got far: it must tolerate that. It
   * is retried like the step. Compensations run in the reverse order of their steps, and all of
   * them run, even if one fails.
   */
  public WorkflowStep<T> compensatedBy(Effect<?, ?> compensation) {
    return new WorkflowStep<>(
        name, codec, retries, deadline, reconciler, Optional.of(compensation));
  }
}
