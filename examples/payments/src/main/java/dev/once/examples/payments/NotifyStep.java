package dev.once.examples.payments;

import dev.once.Codec;
import dev.once.Execution;
import dev.once.Result;
import dev.once.Terms;
import dev.once.Verdict;
import dev.once.steps.Step;
import dev.once.steps.Steps;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Sends the receipt. WhatsApp cannot be asked about a message whose answer was lost, but it tells
 * what became of each in statuses. So after a lost answer the shop waits for one of those; only if
 * none has come for long, the message cannot have been sent.
 */
final class NotifyStep {
  private final Steps steps;
  private final Terms terms;
  private final Receipts receipts;
  private final WhatsAppClient whatsApp;

  NotifyStep(Steps steps, Terms terms, Receipts receipts, WhatsAppClient whatsApp) {
    this.steps = steps;
    this.terms = terms;
    this.receipts = receipts;
    this.whatsApp = whatsApp;
  }

  Result<@Nullable String> run(Order order) throws IOException {
    Step<@Nullable String> step =
        Step.of("notify", Codec.text())
            .withTerms(terms)
            .asking(execution -> find(order, execution));
    return steps.run(order.run(), step, order.input(), execution -> send(order));
  }

  private String send(Order order) throws IOException {
    receipts.aboutToSend(order);
    return whatsApp.sendReceipt(order);
  }

  private Verdict<@Nullable String> find(Order order, Execution execution) {
    String message = receipts.heardOf(order);
    if (message != null) {
      return Verdict.happened(message);
    }
    return receipts.isSilent(order) ? Verdict.didNotHappen() : Verdict.unknown();
  }
}
