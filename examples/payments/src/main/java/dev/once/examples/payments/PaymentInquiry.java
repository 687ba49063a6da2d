package dev.once.examples.payments;

import dev.once.EffectState;
import dev.once.Execution;
import dev.once.Reconciler;
import java.io.IOException;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Queries the provider about a payment whose reply was lost. */
record PaymentInquiry(MomoClient momo, UUID reference) implements Reconciler<@Nullable Settlement> {
  @Override
  public EffectState<@Nullable Settlement> reconcile(Execution execution) {
    Optional<Settlement> found;
    try {
      found = momo.status(reference);
    } catch (IOException e) {
      return EffectState.unknown();
    }
    if (found.isEmpty()) {
      // Unknown to the provider, perhaps only for now. Requesting the payment again with the same
      // reference is safe: if the first request did arrive, the provider refuses the second.
      return EffectState.didNotHappen();
    }
    Settlement it = found.get();
    if (!it.isFinal()) {
      return EffectState.unknown();
    }
    return it.isPaid() ? EffectState.happened(it) : EffectState.failed(it);
  }
}
