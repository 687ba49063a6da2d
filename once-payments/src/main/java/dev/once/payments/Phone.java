package dev.once.payments;

import com.google.i18n.phonenumbers.NumberParseException;
import com.google.i18n.phonenumbers.PhoneNumberUtil;
import com.google.i18n.phonenumbers.PhoneNumberUtil.PhoneNumberFormat;
import com.google.i18n.phonenumbers.Phonenumber.PhoneNumber;
import java.util.regex.Pattern;

/**
 * A phone number in its international form (E.164). Two spellings of the same number are equal.
 * Whether the number is in use is not checked: a number is refused only if no number of its country
 * has that length.
 *
 * @param e164 a plus, the country's code and the number, as in {@code +250788123456}
 */
public record Phone(String e164) {
  private static final PhoneNumberUtil NUMBERS = PhoneNumberUtil.getInstance();
  private static final Pattern E164 = Pattern.compile("\\+[1-9][0-9]{4,14}");
  private static final Pattern LETTERS = Pattern.compile("\\p{L}");
  private static final String NO_REGION = "ZZ";
  private static final int DIGITS_SHOWN = 2;

  public Phone {
    if (!E164.matcher(e164).matches()) { // Not shown: it may be a number with one space.
      throw new IllegalArgumentException(
          "phone must be a plus and 5 to 15 digits, got "
              + e164.length()
              + " characters: read other forms with Phone.of");
    }
  }

  /** Reads a number with its country's code, with or without {@code +} or {@code 00} before it. */
  public static Phone of(String written) {
    String digits = written.strip();
    if (digits.startsWith("00")) {
      digits = "+" + digits.substring(2);
    } else if (!digits.startsWith("+")) {
      digits = "+" + digits;
    }
    return read(digits, NO_REGION);
  }

  /** Reads a number as it is written in {@code region}, a country's two letters such as RW. */
  public static Phone of(String written, String region) {
    if (!NUMBERS.getSupportedRegions().contains(region)) {
      throw new IllegalArgumentException(
          "region must be a country's two letters such as RW, got " + region);
    }
    return read(written.strip(), region);
  }

  private static Phone read(String written, String region) {
    if (LETTERS.matcher(written).find()) { // 0800-FLOWERS, and extensions: not one number.
      throw new IllegalArgumentException("phone must not have letters");
    }
    PhoneNumber number;
    try {
      number = NUMBERS.parse(written, region);
    } catch (NumberParseException e) {
      throw new IllegalArgumentException(
          "phone must have its country's code, or be read with a region: " + e.getErrorType(), e);
    }
    if (number.hasExtension() || !NUMBERS.isPossibleNumber(number)) {
      throw new IllegalArgumentException(
          "phone must be as long as numbers of its country are, got "
              + written.length()
              + " characters");
    }
    return new Phone(NUMBERS.format(number, PhoneNumberFormat.E164));
  }

  /** Returns the number with all digits but the last two hidden. */
  public String masked() {
    int hidden = e164.length() - 1 - DIGITS_SHOWN;
    return "+" + "*".repeat(hidden) + e164.substring(e164.length() - DIGITS_SHOWN);
  }

  /** Returns the masked form, so that no log has the number. */
  @Override
  public String toString() {
    return masked();
  }
}
