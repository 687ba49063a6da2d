package dev.once.examples.payments;

import dev.once.Result;
import dev.once.Terms;
import dev.once.payments.Payments;
import dev.once.steps.Step;
import dev.once.steps.Steps;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Charges the customer. The step may run any number of times: inside it, the payment happens once,
 * and after a crash or a lost reply the provider is queried first.
 */
final class ChargeStep {
  private static final Duration LOOK_AGAIN = Duration.ofMillis(50);
  private static final int LOOKS = 20;

  private final Step<@Nullable Settlement> step;
  private final Steps steps;
  private final Payments payments;
  private final MomoClient momo;

  ChargeStep(Steps steps, Terms terms, Payments payments, MomoClient momo) {
    this.step = Step.of("charge", Settlement.CODEC).withTerms(terms);
    this.steps = steps;
    this.payments = payments;
    this.momo = momo;
  }

  Result<@Nullable Settlement> run(Order order) throws IOException {
    return steps.run(order.run(), step, order.input(), execution -> charge(order));
  }

  private Settlement charge(Order order) throws IOException {
    UUID reference = payments.reference(order.payment());
    return Answers.value(
        payments.request(
            order.payment(),
            Settlement.CODEC,
            execution -> pay(reference, order),
            new PaymentInquiry(momo, reference)));
  }

  private Settlement pay(UUID reference, Order order) throws IOException {
    momo.requestToPay(reference, order);
    return awaitEnd(reference)
        .orElseThrow(() -> new IOException("the customer takes a long time to pay"));
  }

  /** Waits briefly: most customers confirm on their phone immediately. */
  private Optional<Settlement> awaitEnd(UUID reference) throws IOException {
    for (int i = 0; i < LOOKS; i++) {
      Optional<Settlement> found = momo.status(reference).filter(Settlement::isFinal);
      if (found.isPresent()) {
        return found;
      }
      try {
        Thread.sleep(LOOK_AGAIN.toMillis());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted", e);
      }
    }
    return Optional.empty();
  }
}
