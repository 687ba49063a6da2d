package dev.once.payments;

import dev.once.internal.Limits;
import java.math.BigDecimal;
import java.util.Currency;

/**
 * An amount of money to be moved. Amounts are compared as decimals: 1000, 1000.00 and 1e3 of a
 * currency are equal.
 *
 * @param value more than zero, stored without trailing zeros
 * @param currency the three letters of ISO 4217
 */
public record Amount(BigDecimal value, String currency) {
  public static final int MAX_WHOLE_DIGITS = 18;

  /** For currencies without a smallest unit, such as gold; others have at most their own. */
  public static final int MAX_DECIMALS = 18;

  private static final int MAX_TEXT_CHARS = 64;

  public Amount {
    Currency known = currencyOf(currency);
    currency = known.getCurrencyCode();
    value = value.stripTrailingZeros();
    if (value.signum() <= 0) {
      throw new IllegalArgumentException("amount must be more than zero");
    }
    long wholeDigits = (long) value.precision() - value.scale();
    if (wholeDigits > MAX_WHOLE_DIGITS || value.scale() > MAX_DECIMALS) {
      throw new IllegalArgumentException(
          "amount must have at most %d digits before the point and %d after it, got %d and %d"
              .formatted(MAX_WHOLE_DIGITS, MAX_DECIMALS, wholeDigits, value.scale()));
    }
    int minorDigits = known.getDefaultFractionDigits(); // -1 for gold and the like
    if (minorDigits >= 0 && value.scale() > minorDigits) {
      throw new IllegalArgumentException(
          "amount in %s must have at most %d digits after the point, got %d"
              .formatted(currency, minorDigits, value.scale()));
    }
    if (value.scale() < 0) { // 1E+3: safe to expand now that its length is checked
      value = value.setScale(0);
    }
  }

  /** Reads a decimal number as JSON or text has it: {@code 1000}, {@code 49.90}. */
  public static Amount of(String value, String currency) {
    Limits.length("amount", value, 1, MAX_TEXT_CHARS);
    try {
      return new Amount(new BigDecimal(value), currency);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("amount must be a decimal number, got " + value, e);
    }
  }

  /**
   * Returns an amount in the smallest unit of its currency, as many providers write it: 4990 cents
   * of EUR are 49.90, 4990 of RWF are 4990.
   */
  public static Amount ofMinor(long units, String currency) {
    int digits = Math.max(0, currencyOf(currency).getDefaultFractionDigits());
    return new Amount(BigDecimal.valueOf(units, digits), currency);
  }

  /** Returns the canonical text of this amount, without an exponent or trailing zeros. */
  public String text() {
    return value.toPlainString();
  }

  @Override
  public String toString() {
    return text() + " " + currency;
  }

  private static Currency currencyOf(String code) {
    try {
      return Currency.getInstance(code);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "currency must be three letters of ISO 4217 such as RWF, got " + code, e);
    }
  }
}
