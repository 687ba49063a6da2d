package dev.once.examples.payments;

import dev.once.EffectState;
import dev.once.Execution;
import dev.once.Reconciler;
import java.io.IOException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Queries the provider about a request to pay whose reply was lost. */
record PaymentInquiry(MomoClient momo, UUID reference) implements Reconciler<@Nullable String> {
  @Override
  public EffectState<@Nullable String> reconcile(Execution execution) {
    try {
      // Unknown to the provider, perhaps only for now. Requesting the payment again with the same
      // reference is safe: if the first request did arrive, the provider refuses the second.
      return momo.status(reference).isPresent()
          ? EffectState.happened(reference.toString())
          : EffectState.didNotHappen();
    } catch (IOException e) {
      return EffectState.unknown();
    }
  }
}
