package dev.once.examples.payments;

import dev.once.Codec;
import dev.once.jobs.JobException;
import dev.once.payments.Payments;
import java.io.IOException;
import java.time.Duration;
import java.util.UUID;

/**
 * Asks customers to pay. That may be done any number of times: the request reaches the provider
 * once, and after a crash or a lost reply the provider is queried first.
 */
final class Charges {
  private static final Duration LOOK_AGAIN = Duration.ofMillis(300);

  private final Payments payments;
  private final MomoClient momo;

  Charges(Payments payments, MomoClient momo) {
    this.payments = payments;
    this.momo = momo;
  }

  /** Requests the payment, and returns its reference at the provider. */
  String ask(Order order) throws IOException {
    UUID reference = payments.reference(order.payment());
    return Answers.value(
        payments.request(
            order.payment(),
            Codec.text(),
            execution -> {
              momo.requestToPay(reference, order);
              return reference.toString();
            },
            new PaymentInquiry(momo, reference)));
  }

  /**
   * Returns how the payment ended. As long as the customer may still pay, the stock has to stay
   * reserved; the provider ends a request that is not answered in time.
   */
  Settlement settlement(Order order) throws IOException {
    return momo.status(payments.reference(order.payment()))
        .filter(Settlement::isFinal)
        .orElseThrow(() -> new JobException.Snooze("the customer may still pay", LOOK_AGAIN));
  }
}
