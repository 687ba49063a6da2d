package dev.once.inbox;

import dev.once.Key;
import dev.once.spi.Limits;

/**
 * A payment that we ask somebody for: this order, this amount, this phone. All of it together is
 * what happens once, so an order that is asked for again with another amount is another payment.
 *
 * @param tenant whose payment this is
 * @param provider who moves the money, such as {@code momo}: 1 to 32 characters of a-z, 0-9, . _ -
 * @param order what it is for, 1 to 1000 characters
 * @param phone who pays
 */
public record PaymentRequest(
    String tenant, String provider, String order, Amount amount, Phone phone) {
  /** The scope of all payments that we ask for. */
  public static final String SCOPE = "payment_request";

  public PaymentRequest {
    Limits.text("tenant", tenant, 1, Key.MAX_TENANT_CHARS);
    PaymentKeys.requireProvider(provider);
    Limits.text("order", order, 1, PaymentKeys.MAX_ID_CHARS);
  }
}
