package dev.once.http;

import java.util.ArrayList;
import java.util.List;

/**
 * A query in one form for all its spellings: escapes in upper case and only where they are needed,
 * {@code +} as a space, names in order. The values of one name keep their order, which means
 * something to many handlers.
 */
final class CanonicalQuery {
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
      int escaped = c == '%' ? escapeAt(text, i) : -1;
      if (escaped >= 0) {
        append(canonical, escaped);
        i += 2;
      } else {
        canonical.append(c == '+' ? "%20" : c);
      }
    }
    return canonical.toString();
  }

  private static int escapeAt(String text, int percent) {
    if (percent + 2 >= text.length()) {
      return -1;
    }
    int high = Character.digit(text.charAt(percent + 1), 16);
    int low = Character.digit(text.charAt(percent + 2), 16);
    return high < 0 || low < 0 ? -1 : 16 * high + low;
  }

  private static void append(StringBuilder canonical, int octet) {
    if (isUnreserved(octet)) {
      canonical.append((char) octet);
    } else {
      canonical.append('%').append(hex(octet >> 4)).append(hex(octet & 0xf));
    }
  }

  private static boolean isUnreserved(int c) {
    return c < 0x80 && (Character.isLetterOrDigit(c) || "-._~".indexOf(c) >= 0);
  }

  private static char hex(int digit) {
    return Character.toUpperCase(Character.forDigit(digit, 16));
  }
}
