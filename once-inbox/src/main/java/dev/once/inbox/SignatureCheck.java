package dev.once.inbox;

/** Verifies deliveries in a way that cannot be declared as data. Must be thread-safe. */
@FunctionalInterface
public interface SignatureCheck {
  /**
   * Returns whether the provider sent this delivery. Compare secrets in constant time, for example
   * with {@link java.security.MessageDigest#isEqual}.
   */
  boolean isGenuine(Delivery delivery);
}
