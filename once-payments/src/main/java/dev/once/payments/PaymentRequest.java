package dev.once.payments;

import dev.once.Key;
import dev.once.internal.Limits;

/**
 * A payment to request. Order, amount and phone together identify it, so a second request for an
 * order with another amount is another payment.
 *
 * @param tenant the tenant that the payment belongs to
 * @param provider the provider that moves the money, such as {@code momo}: 1 to 32 characters of
 *     a-z, 0-9, . _ -
 * @param order what the payment is for, 1 to 1000 characters
 * @param phone the payer's phone number
 */
public record PaymentRequest(
    String tenant, String provider, String order, Amount amount, Phone phone) {
  /** The scope of all payment requests. */
  public static final String SCOPE = "payment_request";

  public PaymentRequest {
    Limits.text("tenant", tenant, 1, Key.MAX_TENANT_CHARS);
    PaymentKeys.requireProvider(provider);
    Limits.text("order", order, 1, PaymentKeys.MAX_ID_CHARS);
  }
}
