package dev.once.payments;

import dev.once.Codec;
import dev.once.Effect;
import dev.once.EffectState;
import dev.once.Once;
import dev.once.Reconciler;
import dev.once.Recovery;
import dev.once.Request;
import dev.once.Result;
import dev.once.Terms;
import dev.once.json.Fingerprinter;
import dev.once.spi.RecordStore;
import java.time.Duration;
import java.util.Comparator;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Requests each payment once, and runs the effect of each confirmation once. After a crash or a
 * lost reply, a reconciler finds out from the provider whether the payment happened; a charge is
 * never repeated on a guess. Thread-safe.
 *
 * <p>Records contain no phone number, only its last two digits and a digest that the fingerprinter
 * makes. There are few enough phone numbers to try them one by one, so give the fingerprinter a
 * secret, and keep that secret as long as records are kept: with another secret, a payment has
 * another key and counts as new. The value that an effect returns is stored as its codec writes it.
 */
public final class Payments {
  /**
   * Retains records for 30 days: by then a provider has settled a payment, and no client retries
   * it. After that time a payment whose outcome is still uncertain counts as new.
   */
  public static final Terms TERMS =
      Terms.DEFAULT
          .withRetention(Duration.ofDays(30), Duration.ofDays(30))
          .withRecovery(Recovery.ASK);

  /**
   * How many times as long as a payment its payer is remembered. A payment whose outcome is unknown
   * is remembered from the last request for it on, and its payer from the first one on.
   */
  private static final int PAYER_RETENTIONS = 4;

  private final Once once;
  private final PaymentKeys keys;
  private final Terms terms;
  private final PaymentConfirmations confirmations;
  private final DeclinedAttempts declines;

  private Payments(Once once, PaymentKeys keys, Terms terms) {
    this.once = once;
    this.keys = keys;
    this.terms = terms;
    this.confirmations = new PaymentConfirmations(once, keys, terms);
    this.declines = new DeclinedAttempts(once, keys, terms);
  }

  /**
   * Returns payments whose digests use no secret, so that phone numbers can be guessed from them.
   */
  public static Payments over(Once once) {
    return over(once, Fingerprinter.sha256());
  }

  /** Returns payments whose digests {@code fingerprinter} makes, preferably with a secret. */
  public static Payments over(Once once, Fingerprinter fingerprinter) {
    return new Payments(once, new PaymentKeys(fingerprinter), TERMS);
  }

  /**
   * Returns the same payments with other terms, except that recovery is always {@link
   * Recovery#ASK}.
   */
  public Payments withTerms(Terms other) {
    return new Payments(once, keys, other.withRecovery(Recovery.ASK));
  }

  /**
   * Returns the confirmations inside a transaction of the caller, as {@link Once#joining} does: for
   * effects in the caller's own database. There are no charges in a transaction: a rollback would
   * discard the record of a charge that happened, and the next call would charge again.
   */
  public PaymentConfirmations joining(RecordStore transaction) {
    return new PaymentConfirmations(once.joining(transaction), keys, terms);
  }

  /**
   * Returns the id to give the provider for this payment, such as MTN MoMo's {@code
   * X-Reference-Id}. It is the same in every attempt and every process, so that the payment can be
   * queried by it after a reply was lost.
   */
  public UUID reference(PaymentRequest request) {
    return PaymentKeys.reference(keys.key(request));
  }

  /**
   * Charges if no earlier call has, and otherwise answers from the record. The same order, amount
   * and attempt by another phone or card, or at another provider, is {@link Result.Mismatched},
   * whatever became of the first: nothing is charged. An attempt after one that is not known to be
   * declined is {@link Result.Uncertain}, and nothing is charged either: the one before may have
   * been paid, or still be. To find out, request that one again.
   *
   * <p>An attempt is declined if the reconciler said that it {@linkplain EffectState#failed failed
   * for good}.
   *
   * @param charge moves the money; any exception from it means that the outcome is unknown
   * @param reconciler finds out whether the money moved, without moving any. It reports "did not
   *     happen" only if an earlier attempt can no longer arrive, or does no harm because it has the
   *     same reference
   */
  public <T extends @Nullable Object, X extends Exception> Result<T> request(
      PaymentRequest request, Codec<T> codec, Effect<T, X> charge, Reconciler<T> reconciler)
      throws X {
    return request(request, codec, charge, reconciler, value -> false);
  }

  /**
   * Does the same, for charges that also return refusals.
   *
   * @param isDeclined tells values by which the provider has refused the payment for good: no money
   *     moved, and none will
   */
  public <T extends @Nullable Object, X extends Exception> Result<T> request(
      PaymentRequest request,
      Codec<T> codec,
      Effect<T, X> charge,
      Reconciler<T> reconciler,
      Predicate<? super T> isDeclined)
      throws X {
    if (request.attempt() > 1) {
      PaymentRequest before = request.withAttempt(request.attempt() - 1);
      if (!declines.isKnown(before)) {
        return new Result.Uncertain<>(keys.declinedKey(before));
      }
    }
    Result<T> result = chargeOnce(request, codec, charge, reconciler);
    if (result instanceof Result.Answered<T> it && (it.failed() || isDeclined.test(it.value()))) {
      declines.record(request);
    }
    return result;
  }

  private <T extends @Nullable Object, X extends Exception> Result<T> chargeOnce(
      PaymentRequest request, Codec<T> codec, Effect<T, X> charge, Reconciler<T> reconciler)
      throws X {
    Result<@Nullable Void> payer = claimPayer(request);
    if (payer instanceof Result.Mismatched<@Nullable Void> it) {
      return new Result.Mismatched<>(it.key());
    }
    if (payer instanceof Result.Held<@Nullable Void> it) {
      return new Result.Held<>(it.key(), it.leaseLeft());
    }
    if (payer instanceof Result.Uncertain<@Nullable Void> it) {
      return new Result.Uncertain<>(it.key()); // Many processes died here: the payer is not known.
    }
    return once.run(
        Request.of(keys.key(request), codec)
            .withFingerprint(keys.fingerprint(request))
            .withTerms(terms)
            .withReconciler(reconciler),
        charge);
  }

  /**
   * Records the payer of this attempt, before anything is charged: of two concurrent calls with
   * different payers, one finds the other's. A process that stops here has charged nothing, and the
   * same payer goes on.
   */
  private Result<@Nullable Void> claimPayer(PaymentRequest request) {
    return once.run(
        Request.of(keys.payerKey(request), Codec.nothing())
            .withFingerprint(keys.payerFingerprint(request))
            .withTerms(payerTerms()),
        execution -> null);
  }

  /** Remembers the payer for longer than any payment by that payer can be remembered or open. */
  private Terms payerTerms() {
    Duration longest =
        Stream.of(terms.retention(), terms.failedRetention(), Terms.MIN_UNDECIDED_RETENTION)
            .max(Comparator.naturalOrder())
            .orElseThrow()
            .multipliedBy(PAYER_RETENTIONS);
    Duration retention = longest.compareTo(Terms.MAX_RETENTION) < 0 ? longest : Terms.MAX_RETENTION;
    return terms.withRetention(retention, retention).withRecovery(Recovery.RERUN);
  }

  /** Runs the effect of a confirmation: see {@link PaymentConfirmations#confirm}. */
  public <T extends @Nullable Object, X extends Exception> Result<T> confirm(
      PaymentConfirmation confirmation, Codec<T> codec, Effect<T, X> effect) throws X {
    return confirmations.confirm(confirmation, codec, effect);
  }

  /** Runs the effect of a confirmation, with a reconciler for an effect that failed. */
  public <T extends @Nullable Object, X extends Exception> Result<T> confirm(
      PaymentConfirmation confirmation,
      Codec<T> codec,
      Effect<T, X> effect,
      Reconciler<T> reconciler)
      throws X {
    return confirmations.confirm(confirmation, codec, effect, reconciler);
  }
}
