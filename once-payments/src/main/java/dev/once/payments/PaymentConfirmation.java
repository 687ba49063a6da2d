package dev.once.payments;

import dev.once.Key;
import dev.once.internal.Limits;

/**
 * A provider's report of how a payment ended. The transaction id identifies the payment; another
 * amount, currency or status under the same id is a conflict, and its effect does not run. Confirm
 * only final states: a pending payment would conflict with its own final state.
 *
 * @param tenant the tenant that the payment belongs to
 * @param provider the provider that reports it, such as {@code momo}: 1 to 32 characters of a-z,
 *     0-9, . _ -
 * @param transaction the provider's id of the payment, 1 to 1000 characters
 * @param status the final state in the provider's terms, such as {@code SUCCESSFUL}
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
