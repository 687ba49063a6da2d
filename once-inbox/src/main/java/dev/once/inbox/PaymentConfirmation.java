package dev.once.inbox;

import dev.once.Key;
import dev.once.spi.Limits;

/**
 * A provider's word on how a payment ended. The transaction's id says which payment; another
 * amount, currency or status under the same id is a contradiction and is not acted on. Confirm what
 * is final: a payment that is still pending would contradict its own end.
 *
 * @param tenant whose payment this is
 * @param provider who says so, such as {@code momo}: 1 to 32 characters of a-z, 0-9, . _ -
 * @param transaction what the provider calls the payment, 1 to 1000 characters
 * @param status how it ended, in the provider's word, such as {@code SUCCESSFUL}
 */
public record PaymentConfirmation(
    String tenant, String provider, String transaction, Amount amount, String status) {
  /** The scope of all confirmations. */
  public static final String SCOPE = "payment_confirmation";

  private static final int MAX_STATUS_CHARS = 64;

  public PaymentConfirmation {
    Limits.text("tenant", tenant, 1, Key.MAX_TENANT_CHARS);
    PaymentKeys.requireProvider(provider);
    Limits.text("transaction", transaction, 1, PaymentKeys.MAX_ID_CHARS);
    Limits.text("status", status, 1, MAX_STATUS_CHARS);
  }
}
