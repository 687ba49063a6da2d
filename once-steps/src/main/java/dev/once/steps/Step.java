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
 *
 * @param name distinguishes this step from the others of a run, 1 to 128 characters
 * @param codec how the step's value is stored
 * @param terms times and limits, if they differ from those of all steps
 * @param failurePolicy what an exception of the effect means
 * @param reconciler finds out what happened when that is unknown
 * @param correlation ids that are stored with the step and returned with a replay
 */
public record Step<T extends @Nullable Object>(
    String name,
    Codec<T> codec,
    Optional<Terms> terms,
    Optional<FailurePolicy<T>> failurePolicy,
    Optional<Reconciler<T>> reconciler,
    Headers correlation) {
  public static final int MAX_NAME_CHARS = 128;

  public Step {
    Limits.text("step", name, 1, MAX_NAME_CHARS);
  }

  /** Returns a step with the terms of all steps: after a crash it is run again. */
  public static <T extends @Nullable Object> Step<T> of(String name, Codec<T> codec) {
    return new Step<>(
        name, codec, Optional.empty(), Optional.empty(), Optional.empty(), Headers.NONE);
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
