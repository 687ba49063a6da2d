package dev.once.inbox;

/** Tells whether a delivery comes from its provider, before anything in it is read. */
@FunctionalInterface
interface Verification {
  /** Refuses a delivery that the provider has not signed, or not just now. */
  void verify(Delivery delivery, Freshness freshness);
}
