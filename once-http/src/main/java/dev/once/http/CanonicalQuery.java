package dev.once.http;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * Brings a query into canonical form: escapes in upper case and only where they are needed, {@code
 * +} as a space, names sorted. The values of one name keep their order, because many handlers
 * depend on it. A name or value with an invalid escape is left as it is; the handler decides what
 * it means.
 */
final class CanonicalQuery {
  private static final HexFormat UPPER_CASE = HexFormat.of().withUpperCase();

  private CanonicalQuery() {}

  static String of(String query) {
    if (query.isEmpty()) {
      return query;
    }
    List<String> pairs = new ArrayList<>();
    for (String pair : query.split("&", -1)) {
      if (!pair.isEmpty()) {
        int equals = pair.indexOf('=');
        String name = equals < 0 ? pair : pair.substring(0, equals);
        pairs.add(escapes(name) + (equals < 0 ? "" : "=" + escapes(pair.substring(equals + 1))));
      }
    }
    pairs.sort((a, b) -> nameOf(a).compareTo(nameOf(b))); // a stable sort
    return String.join("&", pairs);
  }

  private static String nameOf(String pair) {
    int equals = pair.indexOf('=');
    return equals < 0 ? pair : pair.substring(0, equals);
  }

  private static String escapes(String text) {
    StringBuilder canonical = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c != '%') {
        canonical.append(c == '+' ? "%20" : c);
      } else if (isEscape(text, i)) {
        append(canonical, HexFormat.fromHexDigits(text, i + 1, i + 3));
        i += 2;
      } else {
        return text;
      }
    }
    return canonical.toString();
  }

  private static boolean isEscape(String text, int percent) {
    return percent + 2 < text.length()
        && HexFormat.isHexDigit(text.charAt(percent + 1))
        && HexFormat.isHexDigit(text.charAt(percent + 2));
  }

  private static void append(StringBuilder canonical, int octet) {
    if (isUnreserved(octet)) {
      canonical.append((char) octet);
    } else {
      canonical.append('%').append(UPPER_CASE.toHexDigits((byte) octet));
    }
  }

  private static boolean isUnreserved(int c) {
    return c < 0x80 && (Character.isLetterOrDigit(c) || "-._~".indexOf(c) >= 0);
  }
}
