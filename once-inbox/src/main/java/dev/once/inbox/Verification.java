package dev.once.inbox;

/** Verifies that a delivery comes from its provider, before its content is read. */
@FunctionalInterface
interface Verification {
  /** Refuses a delivery that the provider did not sign, or signed too long ago or in the future. */
  void verify(Delivery delivery, Freshness freshness);
}
