package dev.once.examples.payments;

import dev.once.Codec;
import dev.once.Result;
import dev.once.Terms;
import dev.once.steps.Step;
import dev.once.steps.Steps;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Sends the receipt. After a lost answer, it is sent again only if no message was sent. */
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
            .asking(new ReceiptInquiry(receipts, order));
    return steps.run(order.run(), step, order.input(), execution -> send(order));
  }

  private String send(Order order) throws IOException {
    receipts.aboutToSend(order);
    return whatsApp.sendReceipt(order);
  }
}
