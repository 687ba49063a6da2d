package dev.once.examples.payments;

import dev.once.EffectState;
import dev.once.Execution;
import dev.once.Reconciler;
import org.jspecify.annotations.Nullable;

/**
 * Determines whether a receipt with a lost answer was sent. WhatsApp has no query for a message,
 * but it reports every message in statuses; if none has arrived for long, there was no message.
 */
record ReceiptInquiry(Receipts receipts, String order) implements Reconciler<@Nullable String> {
  @Override
  public EffectState<@Nullable String> reconcile(Execution execution) {
    String message = receipts.heardOf(order);
    if (message != null) {
      return EffectState.happened(message);
    }
    return receipts.isSilent(order) ? EffectState.didNotHappen() : EffectState.unknown();
  }
}
