package dev.once;

import dev.once.spi.ClaimRequest;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Everything the engine has to know about one operation besides the effect itself. Immutable; the
 * {@code with} methods return a changed copy.
 */
public final class Request<T extends @Nullable Object> {
  private final Key key;
  private final Fingerprint fingerprint;
  private final Codec<T> codec;
  private final Terms terms;
  private final Optional<FailurePolicy<T>> failurePolicy;
  private final Optional<Reconciler<T>> reconciler;
  private final Headers correlation;

  private Request(
      Key key,
      Fingerprint fingerprint,
      Codec<T> codec,
      Terms terms,
      Optional<FailurePolicy<T>> failurePolicy,
      Optional<Reconciler<T>> reconciler,
      Headers correlation) {
    this.key = key;
    this.fingerprint = fingerprint;
    this.codec = codec;
    this.terms = terms;
    this.failurePolicy = failurePolicy;
    this.reconciler = reconciler;
    this.correlation = correlation;
  }

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

  /** Returns which operation this is. */
  public Key key() {
    return key;
  }

  /** Returns what is requested, so that a key used for something else is refused. */
  public Fingerprint fingerprint() {
    return fingerprint;
  }

  /** Returns how the effect's value is stored. */
  public Codec<T> codec() {
    return codec;
  }

  /** Returns times and limits. */
  public Terms terms() {
    return terms;
  }

  /** Returns what an exception of the effect means. */
  public Optional<FailurePolicy<T>> failurePolicy() {
    return failurePolicy;
  }

  /** Returns what finds out whether the effect happened when that is unknown. */
  public Optional<Reconciler<T>> reconciler() {
    return reconciler;
  }

  /** Returns the ids that are kept with the record and returned with each replay. */
  public Headers correlation() {
    return correlation;
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
    return ClaimRequest.of(key, fingerprint, terms).withCorrelation(correlation);
  }

  EffectState<T> classify(Throwable failure) {
    if (failurePolicy.isPresent()) {
      return failurePolicy.get().classify(failure);
    }
    return terms.recovery() == Recovery.RERUN ? EffectState.didNotHappen() : EffectState.unknown();
  }

  /** What the reconciler finds out; unknown if there is none. */
  EffectState<T> reconcile(Execution execution) {
    if (reconciler.isEmpty()) {
      return EffectState.unknown();
    }
    try {
      return reconciler.get().reconcile(execution);
    } catch (RuntimeException e) {
      throw e;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ReconciliationException(key, e);
    } catch (Exception e) {
      throw new ReconciliationException(key, e);
    }
  }
}
