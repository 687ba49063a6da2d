package dev.once.inbox;

import dev.once.Codec;
import dev.once.Effect;
import dev.once.Once;
import dev.once.Reconciler;
import dev.once.Recovery;
import dev.once.Request;
import dev.once.Result;
import dev.once.Terms;
import dev.once.json.Fingerprinter;
import dev.once.spi.RecordStore;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Asks for payments once, and acts once on what a provider confirms. After a crash, or a reply that
 * got lost, the provider is asked what became of a payment; nobody is charged again on a guess.
 * Thread-safe.
 *
 * <p>Records have no phone number in them: its last two digits, and a digest that the fingerprinter
 * makes. Phone numbers are few enough to be tried one by one, so give it a secret, and keep that
 * secret as long as records are kept: with another one, a payment has another key and counts as
 * new. What an effect returns is kept as its codec writes it.
 */
public final class Payments {
  /**
   * Kept for 30 days: by then a provider has settled a payment, and nobody tries it again. A
   * payment of which nobody knows whether it happened is new after that time.
   */
  public static final Terms TERMS =
      Terms.DEFAULT
          .withRetention(Duration.ofDays(30), Duration.ofDays(30))
          .withRecovery(Recovery.ASK);

  private final Once once;
  private final PaymentKeys keys;
  private final Terms terms;
  private final boolean joined;

  private Payments(Once once, PaymentKeys keys, Terms terms, boolean joined) {
    this.once = once;
    this.keys = keys;
    this.terms = terms;
    this.joined = joined;
  }

  /** Payments whose digests need no secret, and protect no phone number from being guessed. */
  public static Payments over(Once once) {
    return over(once, Fingerprinter.sha256());
  }

  /** Payments whose digests {@code fingerprinter} makes, best with a secret. */
  public static Payments over(Once once, Fingerprinter fingerprinter) {
    return new Payments(once, new PaymentKeys(fingerprinter), TERMS, false);
  }

  /** The same payments with other times and limits; recovery is by asking whatever they say. */
  public Payments withTerms(Terms other) {
    return new Payments(once, keys, other.withRecovery(Recovery.ASK), joined);
  }

  /**
   * The same payments inside a transaction of the caller, as {@link Once#joining}: for the effects
   * of a confirmation in the caller's own database. Charges are refused there: a rollback would
   * forget one that happened, and the next call would charge again.
   */
  public Payments joining(RecordStore transaction) {
    return new Payments(once.joining(transaction), keys, terms, true);
  }

  /**
   * The id to give the provider for this payment, such as MTN MoMo's {@code X-Reference-Id}: the
   * same in every try and every process, so that it can be asked for after its reply was lost.
   */
  public UUID reference(PaymentRequest request) {
    return PaymentKeys.reference(keys.key(request));
  }

  /**
   * Charges if nobody has yet, and otherwise answers from the record.
   *
   * @param charge moves the money; whatever it throws means that nobody knows whether it did
   * @param ask finds out whether the money moved, without moving any. It says "did not happen" only
   *     if an earlier try can no longer arrive, or does no harm because it has the same reference
   * @throws IllegalStateException if these payments are inside a transaction
   */
  public <T extends @Nullable Object, X extends Exception> Result<T> request(
      PaymentRequest request, Codec<T> codec, Effect<T, X> charge, Reconciler<T> ask) throws X {
    if (joined) {
      throw new IllegalStateException(
          "no rollback takes a charge back: request payments outside of a transaction");
    }
    return once.run(
        Request.of(keys.key(request), codec)
            .withFingerprint(keys.fingerprint(request))
            .withTerms(terms)
            .withReconciler(ask),
        charge);
  }

  /**
   * Acts on a confirmation if nobody has yet: for effects in the caller's transaction. Outside of
   * one, an effect that failed stays uncertain until someone finds out what it did.
   */
  public <T extends @Nullable Object, X extends Exception> Result<T> confirm(
      PaymentConfirmation confirmation, Codec<T> codec, Effect<T, X> effect) throws X {
    return once.run(confirming(confirmation, codec), effect);
  }

  /** Acts on a confirmation if nobody has yet, and asks what became of an effect that failed. */
  public <T extends @Nullable Object, X extends Exception> Result<T> confirm(
      PaymentConfirmation confirmation, Codec<T> codec, Effect<T, X> effect, Reconciler<T> ask)
      throws X {
    return once.run(confirming(confirmation, codec).withReconciler(ask), effect);
  }

  private <T extends @Nullable Object> Request<T> confirming(
      PaymentConfirmation confirmation, Codec<T> codec) {
    return Request.of(keys.key(confirmation), codec)
        .withFingerprint(keys.fingerprint(confirmation))
        .withTerms(terms);
  }
}
