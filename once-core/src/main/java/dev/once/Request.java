package dev.once;

import dev.once.spi.ClaimRequest;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Everything the engine has to know about one operation besides the effect itself. Immutable; the
 * {@code with} methods return a changed copy.
 *
 * @param key which operation this is
 * @param fingerprint what is requested, so that a key used for something else is refused
 * @param codec how the effect's value is stored
 * @param terms times and limits
 * @param failurePolicy what an exception of the effect means
 * @param reconciler finds out whether the effect happened when that is unknown
 * @param correlation ids that are kept with the record and returned with each replay
 */
public record Request<T extends @Nullable Object>(
    Key key,
    Fingerprint fingerprint,
    Codec<T> codec,
    Terms terms,
    Optional<FailurePolicy<T>> failurePolicy,
    Optional<Reconciler<T>> reconciler,
    Headers correlation) {

  /** A request on default terms, identified by its key alone. */
  public static <T extends @Nullable Object> Request<T> of(Key key, Codec<T> codec) {
    return new Request<>(
        key,
        Fingerprint.NONE,
        codec,
        Terms.DEFAULT,
        Optional.empty(),
        Optional.empty(),
        Headers.NONE);
  }

  public Request<T> withFingerprint(Fingerprint fingerprint) {
    return new Request<>(key, fingerprint, codec, terms, failurePolicy, reconciler, correlation);
  }

  public Request<T> withTerms(Terms terms) {
    return new Request<>(key, fingerprint, codec, terms, failurePolicy, reconciler, correlation);
  }

  public Request<T> withFailurePolicy(FailurePolicy<T> policy) {
    return new Request<>(
        key, fingerprint, codec, terms, Optional.of(policy), reconciler, correlation);
  }

  public Request<T> withReconciler(Reconciler<T> reconciler) {
    return new Request<>(
        key, fingerprint, codec, terms, failurePolicy, Optional.of(reconciler), correlation);
  }

  public Request<T> withCorrelation(Headers correlation) {
    return new Request<>(key, fingerprint, codec, terms, failurePolicy, reconciler, correlation);
  }

  /** A claim with a token of its own. */
  ClaimRequest toClaim() {
    return new ClaimRequest(
        key,
        fingerprint,
        terms.lease(),
        terms.retention(),
        terms.recovery(),
        terms.maxAttempts(),
        correlation);
  }

  EffectState<T> classify(Throwable failure) {
    if (failurePolicy.isPresent()) {
      return failurePolicy.get().classify(failure);
    }
    return terms.recovery() == Recovery.RERUN ? EffectState.didNotHappen() : EffectState.unknown();
  }

  /** What the reconciler finds out; unknown if there is none. */
  EffectState<T> reconcile(Execution execution) {
    return reconciler.isPresent() ? reconciler.get().reconcile(execution) : EffectState.unknown();
  }
}
