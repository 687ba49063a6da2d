package dev.once.inbox;

/**
 * The bytes that a provider signs, for providers that no template of {@link Signing#over(String)}
 * describes.
 */
@FunctionalInterface
public interface SignedContent {
  /**
   * Returns the bytes that the signature of a delivery must be for. Nothing of the delivery is
   * verified yet.
   *
   * @param timestamp the time of signing as it was sent; empty if the provider sends none outside
   *     of the body
   */
  byte[] of(Delivery delivery, String timestamp);
}
