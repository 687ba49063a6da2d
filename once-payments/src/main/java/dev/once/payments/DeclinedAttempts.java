package dev.once.payments;

import dev.once.Codec;
import dev.once.EffectState;
import dev.once.Once;
import dev.once.Recovery;
import dev.once.Request;
import dev.once.Result;
import dev.once.Terms;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Records which attempts at payments were declined. The record does not depend on the payer, which
 * the next attempt does not know. A process that stops before it is written leaves the attempt as
 * one that is not known to be declined; the next request for that attempt writes it.
 */
final class DeclinedAttempts {
  /** How long a writer waits for a reader, which holds the key for a moment. */
  private static final Duration MAX_WAIT = Duration.ofSeconds(5);

  private final Once once;
  private final PaymentKeys keys;
  private final Terms terms;

  /** Ends the effect of a reader: there is no record, and it writes none. */
  private static final class NotRecordedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NotRecordedException() {
      super("not declined", null, false, false);
    }
  }

  DeclinedAttempts(Once once, PaymentKeys keys, Terms terms) {
    this.once = once;
    this.keys = keys;
    this.terms =
        terms
            .withRecovery(Recovery.RERUN)
            .withMaxAttempts(Terms.MAX_ATTEMPTS)
            .withMaxWait(MAX_WAIT);
  }

  void record(PaymentRequest declined) {
    Result<@Nullable Void> unused = once.run(request(declined), execution -> null);
  }

  /** Returns whether {@code attempt} is recorded as declined. */
  boolean isKnown(PaymentRequest attempt) {
    try {
      Result<@Nullable Void> result =
          once.run(
              request(attempt),
              execution -> {
                throw new NotRecordedException();
              });
      return result instanceof Result.Answered;
    } catch (NotRecordedException e) {
      return false;
    }
  }

  private Request<@Nullable Void> request(PaymentRequest attempt) {
    return Request.of(keys.declinedKey(attempt), Codec.nothing())
        .withTerms(terms)
        .withFailurePolicy(failure -> EffectState.didNotHappen());
  }
}
