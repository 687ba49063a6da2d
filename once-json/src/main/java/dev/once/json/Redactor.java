package dev.once.json;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Removes what must not be stored or logged: members with sensitive names become {@code
 * "[redacted]"}, and phone numbers keep their last two digits.
 *
 * <p>Names are compared whole, without regard to case, {@code _}, {@code -} or other punctuation.
 * In strings, what looks like a phone number is masked: 9 to 15 digits, alone or in groups, or at
 * least 7 after a plus; UUIDs, ISO 8601 times, decimal amounts and identifiers with letters are
 * not. Under a name such as {@code phone} or {@code msisdn}, every string with 5 digits or more is
 * masked, and so are whole numbers of 7 to 15 digits, which become strings. Everything else keeps
 * its order and its value; white space between tokens is dropped. Instances are immutable and
 * thread-safe.
 */
public final class Redactor {
  /** What is sensitive wherever it appears. */
  private static final List<String> SENSITIVE =
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
          "secret",
          "client_secret",
          "secret_key",
          "private_key",
          "signing_key",
          "webhook_secret",
          "token",
          "access_token",
          "refresh_token",
          "id_token",
          "auth_token",
          "bearer_token",
          "session_token",
          "authorization",
          "proxy_authorization",
          "cookie",
          "set_cookie",
          "api_key",
          "x_api_key",
          "api_secret",
          "credential",
          "credentials",
          "otp",
          "one_time_password",
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

  /** What holds a phone number. */
  private static final List<String> PHONES =
      List.of(
          "phone",
          "phones",
          "phone_number",
          "phone_numbers",
          "msisdn",
          "mobile",
          "mobile_number",
          "mobile_phone",
          "cell",
          "cell_phone",
          "tel",
          "telephone",
          "telephone_number",
          "whatsapp",
          "whatsapp_number",
          "wa_id",
          "fax",
          "sms",
          "contact_number",
          "payer_phone",
          "payee_phone",
          "customer_phone",
          "telephone_mobile",
          "numero_telephone");

  private static final Redactor STANDARD = builder().build();

  private final JsonLimits limits;
  private final Redaction redaction;

  private Redactor(JsonLimits limits, Redaction redaction) {
    this.limits = limits;
    this.redaction = redaction;
  }

  /** The names that are sensitive nearly everywhere, within the default limits. */
  public static Redactor standard() {
    return STANDARD;
  }

  public static Builder builder() {
    return new Builder();
  }

  /**
   * The document without what is sensitive.
   *
   * @throws JsonRefusedException if it is not JSON with one meaning, or exceeds the limits
   */
  public byte[] json(byte[] document) {
    Walk walk = new Walk();
    walk.cursor.open(document, 0, document.length, limits.maxBytes());
    walk.edit(limits, redaction);
    return Arrays.copyOf(walk.cursor.out, walk.cursor.length);
  }

  /** Whether a member, header or parameter of this name is replaced as a whole. */
  public boolean isSensitive(String name) {
    return redaction.mark(name) == Edits.WHOLE;
  }

  /** The text with phone numbers masked. */
  public static String maskPhones(String text) {
    return PhoneMask.mask(text);
  }

  /** Settings of a {@link Redactor}, all optional. */
  public static final class Builder {
    private final Map<String, Long> marks = new HashMap<>();
    private JsonLimits limits = JsonLimits.DEFAULTS;

    private Builder() {
      PHONES.forEach(this::phone);
      SENSITIVE.forEach(this::sensitive);
    }

    /** Replaces members of this name too. */
    public Builder sensitive(String name) {
      return mark(name, Edits.WHOLE);
    }

    /** Takes what is under this name for a phone number. */
    public Builder phone(String name) {
      return mark(name, Redaction.PHONE);
    }

    /** The limits that apply to documents. */
    public Builder limits(JsonLimits within) {
      limits = within;
      return this;
    }

    public Redactor build() {
      return new Redactor(limits, new Redaction(marks));
    }

    private Builder mark(String name, long mark) {
      String plain = Redaction.plain(name);
      if (plain.isEmpty()) {
        throw new IllegalArgumentException(
            "name must have a letter or digit, got \"" + name + "\"");
      }
      marks.put(plain, mark);
      return this;
    }
  }
}
