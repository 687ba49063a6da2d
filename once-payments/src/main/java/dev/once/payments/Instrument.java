package dev.once.payments;

import dev.once.internal.Limits;
import java.util.regex.Pattern;

/**
 * What pays: a phone, a card's token, an account. Only digests of it are stored.
 *
 * @param kind such as {@code phone}, {@code card} or {@code account}: 1 to 16 characters of a-z and
 *     -
 * @param id identifies it at the provider, 1 to 1000 characters. Use the provider's token and never
 *     the number of a card
 */
public record Instrument(String kind, String id) {
  private static final Pattern KIND = Pattern.compile("[a-z][a-z-]{0,15}");
  private static final Pattern CARD_NUMBER = Pattern.compile("[0-9][0-9 -]{11,22}[0-9]");
  private static final String PHONE = "phone";

  public Instrument {
    if (!KIND.matcher(kind).matches()) {
      throw new IllegalArgumentException(
          "kind must have 1 to 16 characters of a-z and -, got " + kind.length());
    }
    Limits.text("instrument", id, 1, PaymentKeys.MAX_ID_CHARS);
    if (kind.equals("card") && CARD_NUMBER.matcher(id).matches()) {
      throw new IllegalArgumentException("card must be the provider's token, not a card's number");
    }
  }

  public static Instrument phone(Phone phone) {
    return new Instrument(PHONE, phone.e164());
  }

  /** Returns a card by the token that the provider has given for it. */
  public static Instrument card(String token) {
    return new Instrument("card", token);
  }

  public static Instrument account(String id) {
    return new Instrument("account", id);
  }

  /** Returns what a key may show of it: of a phone the last two digits, of others nothing. */
  String masked() {
    return kind.equals(PHONE) ? new Phone(id).masked() : "";
  }

  /** Shows nothing of it but the kind, and of a phone the last two digits. */
  @Override
  public String toString() {
    return kind + ":" + masked();
  }
}
