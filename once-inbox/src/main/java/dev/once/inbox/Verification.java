package dev.once.inbox;

import java.util.List;

/** Verifies that a delivery comes from its provider, before its content is read. */
@FunctionalInterface
interface Verification {
  /** Refuses a delivery that the provider did not sign, or signed too long ago or in the future. */
  void verify(Delivery delivery, Freshness freshness);

  /** Returns a verification that a delivery passes if it passes one of these. */
  static Verification anyOf(List<Verification> all) {
    if (all.size() == 1) {
      return all.get(0);
    }
    return (delivery, freshness) -> {
      if (all.stream().noneMatch(it -> it.passes(delivery, freshness))) {
        all.get(0).verify(delivery, freshness); // refuses it again, and says why
      }
    };
  }

  private boolean passes(Delivery delivery, Freshness freshness) {
    try {
      verify(delivery, freshness);
      return true;
    } catch (DeliveryRejectedException e) {
      return false;
    }
  }
}
