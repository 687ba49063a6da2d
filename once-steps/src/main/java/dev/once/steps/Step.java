package dev.once.steps;

import dev.once.Codec;
import dev.once.FailurePolicy;
import dev.once.Fingerprint;
import dev.once.Headers;
import dev.once.Key;
import dev.once.Reconciler;
import dev.once.Recovery;
import dev.once.Request;
import dev.once.Terms;
import dev.once.internal.Limits;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One kind of step: its name, and how its value is stored. Immutable, so it can be a constant:
 * {@code static final Step<String> CHARGE = Step.of("charge", Codec.text())}.
 */
public final class Step<T extends @Nullable Object> {
  public static final int MAX_NAME_CHARS = 128;

  private final String name;
  private final Codec<T> codec;
  private final Optional<Terms> terms;
  private final Optional<FailurePolicy<T>> failurePolicy;
  private final Optional<Reconciler<T>> reconciler;
  private final Headers correlation;

  private Step(
      String name,
      Codec<T> codec,
      Optional<Terms> terms,
      Optional<FailurePolicy<T>> failurePolicy,
      Optional<Reconciler<T>> reconciler,
      Headers correlation) {
    Limits.text("step", name, 1, MAX_NAME_CHARS);
    this.name = name;
    this.codec = codec;
    this.terms = terms;
    this.failurePolicy = failurePolicy;
    this.reconciler = reconciler;
    this.correlation = correlation;
  }

  /** Returns a step with the terms of all steps: after a crash it is run again. */
  public static <T extends @Nullable Object> Step<T> of(String name, Codec<T> codec) {
    return new Step<>(
        name, codec, Optional.empty(), Optional.empty(), Optional.empty(), Headers.NONE);
  }

  /** Returns what distinguishes this step from the others of a run, 1 to 128 characters. */
  public String name() {
    return name;
  }

  /** Returns how the step's value is stored. */
  public Codec<T> codec() {
    return codec;
  }

  /** Returns the times and limits, if they differ from those of all steps. */
  public Optional<Terms> terms() {
    return terms;
  }

  /** Returns what an exception of the effect means. */
  public Optional<FailurePolicy<T>> failurePolicy() {
    return failurePolicy;
  }

  /** Returns what finds out what happened when that is unknown. */
  public Optional<Reconciler<T>> reconciler() {
    return reconciler;
  }

  /** Returns the ids that are stored with the step and returned with a replay. */
  public Headers correlation() {
    return correlation;
  }

  public Step<T> withTerms(Terms terms) {
    return new Step<>(name, codec, Optional.of(terms), failurePolicy, reconciler, correlation);
  }

  public Step<T> withFailurePolicy(FailurePolicy<T> policy) {
    return new Step<>(name, codec, terms, Optional.of(policy), reconciler, correlation);
  }

  /**
   * Returns the same step for effects that must not be repeated: after a crash it is not run again
   * until {@code reconciler} has found out whether the effect happened.
   */
  public Step<T> asking(Reconciler<T> reconciler) {
    return new Step<>(name, codec, terms, failurePolicy, Optional.of(reconciler), correlation);
  }

  public Step<T> withCorrelation(Headers correlation) {
    return new Step<>(name, codec, terms, failurePolicy, reconciler, correlation);
  }

  Request<T> request(RunId run, Fingerprint input, Terms otherwise) {
    Key key = new Key(run.tenant(), run.scope(), StepKey.of(name, input));
    Terms own = terms.orElse(otherwise);
    Request<T> request =
        Request.of(key, codec)
            .withFingerprint(input)
            .withTerms(reconciler.isPresent() ? own.withRecovery(Recovery.ASK) : own)
            .withCorrelation(correlation);
    if (failurePolicy.isPresent()) {
      request = request.withFailurePolicy(failurePolicy.get());
    }
    return reconciler.isPresent() ? request.withReconciler(reconciler.get()) : request;
  }
}
