package dev.once.examples.payments;

import dev.once.Execution;
import dev.once.Reconciler;
import dev.once.EffectState;
import org.jspecify.annotations.Nullable;

/**
 * Finds out about a receipt whose answer was lost. WhatsApp cannot be asked about a message, but it
 * tells what became of each in statuses; only if none has come for long, there was no message.
 */
record ReceiptInquiry(Receipts receipts, Order order) implements Reconciler<@Nullable String> {
  @Override
  public EffectState<@Nullable String> reconcile(Execution execution) {
    String message = receipts.heardOf(order);
    if (message != null) {
      return EffectState.happened(message);
    }
    return receipts.isSilent(order) ? EffectState.didNotHappen() : EffectState.unknown();
  }
}
