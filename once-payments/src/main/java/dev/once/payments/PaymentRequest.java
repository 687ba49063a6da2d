package dev.once.payments;

import dev.once.Key;
import dev.once.internal.Limits;

/**
 * A payment to request. Order, amount and attempt identify it. The same payment with another phone
 * or card, or at another provider, is a mismatch and charges nothing: if a payment was declined,
 * request it in the next {@link #attempt}, which is refused as long as the attempt before is not
 * known to be declined. A second request for an order with another amount is another payment.
 *
 * @param tenant the tenant that the payment belongs to
 * @param provider the provider that moves the money, such as {@code momo}: 1 to 32 characters of
 *     a-z, 0-9, . _ -
 * @param order what the payment is for, 1 to 1000 characters
 * @param payer what pays: a phone, a card, an account
 * @param attempt 1, and one more after each attempt that the provider has declined
 */
public record PaymentRequest(
    String tenant, String provider, String order, Amount amount, Instrument payer, int attempt) {
  /** The scope of all payment requests. */
  public static final String SCOPE = "payment_request";

  public static final int MAX_ATTEMPTS = 100;

  public PaymentRequest {
    Limits.text("tenant", tenant, 1, Key.MAX_TENANT_CHARS);
    PaymentKeys.requireProvider(provider);
    Limits.text("order", order, 1, PaymentKeys.MAX_ID_CHARS);
    Limits.range("attempt", attempt, 1, MAX_ATTEMPTS);
  }

  /** Makes the first attempt at a payment. */
  public PaymentRequest(
      String tenant, String provider, String order, Amount amount, Instrument payer) {
    this(tenant, provider, order, amount, payer, 1);
  }

  /** Makes the first attempt at a payment by phone. */
  public PaymentRequest(String tenant, String provider, String order, Amount amount, Phone phone) {
    this(tenant, provider, order, amount, Instrument.phone(phone));
  }

  /**
   * Returns another attempt at the same payment, for after the provider has declined the one
   * before: each attempt is charged once.
   */
  public PaymentRequest withAttempt(int number) {
    return new PaymentRequest(tenant, provider, order, amount, payer, number);
  }

  /** Returns the same payment by something else. */
  public PaymentRequest withPayer(Instrument other) {
    return new PaymentRequest(tenant, provider, order, amount, other, attempt);
  }
}
