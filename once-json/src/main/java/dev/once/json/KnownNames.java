package dev.once.json;

import java.util.List;

/**
 * The names that have the same meaning nearly everywhere. A longer name that ends in one of these
 * is known too, if its words can be separated; a name that is listed in full is also known if they
 * cannot, as in {@code accesstoken}.
 */
final class KnownNames {
  /** Names of values that are always sensitive. */
  static final List<String> SENSITIVE =
      List.of(
          "password",
          "passwd",
          "pwd",
          "passphrase",
          "passcode",
          "new_password",
          "old_password",
          "current_password",
          "password_confirmation",
          "confirm_password",
          "user_password",
          "mot_de_passe",
          "secret",
          "client_secret",
          "secret_key",
          "secret_access_key",
          "access_key",
          "private_key",
          "signing_key",
          "encryption_key",
          "subscription_key",
          "webhook_secret",
          "token",
          "access_token",
          "refresh_token",
          "id_token",
          "auth_token",
          "api_token",
          "csrf_token",
          "bearer_token",
          "session_token",
          "jwt",
          "authorization",
          "proxy_authorization",
          "cookie",
          "set_cookie",
          "api_key",
          "x_api_key",
          "api_secret",
          "credential",
          "otp",
          "otp_code",
          "one_time_password",
          "verification_code",
          "pin",
          "pin_code",
          "card_number",
          "card_no",
          "credit_card",
          "credit_card_number",
          "pan",
          "cvv",
          "cvv2",
          "cvc",
          "cvc2",
          "security_code",
          "iban",
          "account_number",
          "bank_account",
          "ssn",
          "social_security_number");

  /**
   * Names of phone numbers. WhatsApp's {@code wa_id} and {@code recipient_id} and MoMo's {@code
   * partyId} are here because their last word would make them references.
   */
  static final List<String> PHONES =
      List.of(
          "phone",
          "phone_number",
          "phone_no",
          "msisdn",
          "mobile",
          "mobile_number",
          "mobile_no",
          "mobile_phone",
          "cell",
          "cell_phone",
          "cell_number",
          "tel",
          "telephone",
          "telephone_number",
          "whatsapp",
          "whatsapp_number",
          "wa_id",
          "recipient_id",
          "party_id",
          "fax",
          "sms",
          "contact_number",
          "payer_phone",
          "payee_phone",
          "customer_phone",
          "telephone_mobile",
          "numero_telephone");

  /**
   * Names of references: digits alone are not a phone number there. {@code number} by itself is not
   * in the list, because a contact's number is a phone number; an order's number is not.
   */
  static final List<String> REFERENCES =
      List.of(
          "id",
          "reference",
          "ref",
          "code",
          "idempotency_key",
          "order_number",
          "invoice_number",
          "receipt_number",
          "reference_number",
          "tracking_number",
          "transaction_number",
          "ticket_number",
          "serial_number",
          "batch_number");

  /**
   * Names of times and amounts: digits alone are not a phone number there, not even below a phone.
   */
  static final List<String> QUANTITIES =
      List.of("timestamp", "ts", "time", "date", "at", "created", "updated", "amount");

  private KnownNames() {}
}
