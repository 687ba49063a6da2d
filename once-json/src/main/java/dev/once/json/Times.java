package dev.once.json;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.format.DateTimeFormatter;

/** Recognizes canonical JSON values that are a time, however producers write them. */
final class Times {
  /** The longest text with an offset and the name of a zone. */
  private static final int MAX_CHARS = 64;

  private static final BigDecimal MIN_SECONDS = seconds("2000-01-01T00:00:00Z");
  private static final BigDecimal MAX_SECONDS = seconds("2100-01-01T00:00:00Z");
  private static final int MILLIS = 3;

  private Times() {}

  /** Returns whether {@code text} from {@code start} to {@code end} is a time. */
  static boolean isTime(byte[] text, int start, int end) {
    if (end - start > MAX_CHARS) {
      return false;
    }
    String value = new String(text, start, end - start, StandardCharsets.UTF_8);
    char first = value.charAt(0);
    if (first == '"') {
      return isDateTime(value.substring(1, value.length() - 1));
    }
    return first >= '1' && first <= '9' && isSinceEpoch(new BigDecimal(value));
  }

  private static boolean isDateTime(String text) {
    try {
      DateTimeFormatter.ISO_DATE_TIME.parse(text);
      return true;
    } catch (DateTimeException e) {
      return false;
    }
  }

  /** Seconds or milliseconds since 1970, of a time at which a program of today may have run. */
  private static boolean isSinceEpoch(BigDecimal number) {
    return isWithin(number) || isWithin(number.movePointLeft(MILLIS));
  }

  private static boolean isWithin(BigDecimal seconds) {
    return seconds.compareTo(MIN_SECONDS) >= 0 && seconds.compareTo(MAX_SECONDS) < 0;
  }

  private static BigDecimal seconds(String time) {
    return BigDecimal.valueOf(Instant.parse(time).getEpochSecond());
  }
}
