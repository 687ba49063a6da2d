package dev.once.payments;

import dev.once.Codec;
import dev.once.Effect;
import dev.once.EffectRunner;
import dev.once.Reconciler;
import dev.once.Request;
import dev.once.Result;
import dev.once.Terms;
import org.jspecify.annotations.Nullable;

/** Runs the effect of each payment's confirmation once: outside or inside a transaction. */
public final class PaymentConfirmations {
  private final EffectRunner runner;
  private final PaymentKeys keys;
  private final Terms terms;

  PaymentConfirmations(EffectRunner runner, PaymentKeys keys, Terms terms) {
    this.runner = runner;
    this.keys = keys;
    this.terms = terms;
  }

  /**
   * Runs the effect of a confirmation if no earlier call has: for effects in the caller's
   * transaction. Outside of a transaction, an effect that failed stays uncertain until an operator
   * or a reconciler resolves it.
   */
  public <T extends @Nullable Object, X extends Exception> Result<T> confirm(
      PaymentConfirmation confirmation, Codec<T> codec, Effect<T, X> effect) throws X {
    return runner.run(request(confirmation, codec), effect);
  }

  /**
   * Runs the effect of a confirmation if no earlier call has, and calls {@code reconciler} to find
   * out whether an effect that failed happened.
   */
  public <T extends @Nullable Object, X extends Exception> Result<T> confirm(
      PaymentConfirmation confirmation,
      Codec<T> codec,
      Effect<T, X> effect,
      Reconciler<T> reconciler)
      throws X {
    return runner.run(request(confirmation, codec).withReconciler(reconciler), effect);
  }

  private <T extends @Nullable Object> Request<T> request(
      PaymentConfirmation confirmation, Codec<T> codec) {
    return Request.of(keys.key(confirmation), codec)
        .withFingerprint(keys.fingerprint(confirmation))
        .withTerms(terms);
  }
}
