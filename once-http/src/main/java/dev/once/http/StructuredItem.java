package dev.once.http;

import dev.once.http.BareItem.BooleanItem;
import dev.once.http.FieldRefusedException.Reason;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A structured field that holds one item (RFC 9651), such as {@code Idempotency-Key} in the IETF
 * draft.
 *
 * @param parameters in the order in which their names first appeared
 */
record StructuredItem(BareItem value, Map<String, BareItem> parameters) {
  /** The RFC requires at least 16384 bytes, which take 21848 characters of base64. */
  static final int MAX_CHARS = 32 * 1024;

  StructuredItem {
    parameters = Collections.unmodifiableMap(new LinkedHashMap<>(parameters));
  }

  /**
   * Reads the single item in {@code lines}, the field's values as received.
   *
   * @throws FieldRefusedException if they are not one item
   */
  static StructuredItem parse(List<String> lines) {
    FieldReader r = new FieldReader(onlyOf(lines), MAX_CHARS);
    r.skipAll(c -> c == ' ');
    if (r.atEnd()) {
      throw r.refuse(Reason.EMPTY);
    }
    StructuredItem item = new StructuredItem(BareItemParser.parse(r), parameters(r));
    r.skipAll(c -> c == ' ');
    if (!r.atEnd()) {
      throw r.refuse(Reason.TRAILING_CONTENT);
    }
    return item;
  }

  /**
   * Returns the only line. Several lines, joined by a comma as in the RFC, are one item only if the
   * comma falls inside a string. No client sent that string, and the RFC allows a recipient to
   * refuse it.
   */
  private static String onlyOf(List<String> lines) {
    if (lines.size() > 1) {
      throw new FieldRefusedException(Reason.SEVERAL_LINES, lines.get(0).length());
    }
    return lines.isEmpty() ? "" : lines.get(0);
  }

  private static Map<String, BareItem> parameters(FieldReader r) {
    Map<String, BareItem> parameters = new LinkedHashMap<>();
    while (r.skip(';')) {
      r.skipAll(c -> c == ' ');
      String name = name(r);
      parameters.put(name, r.skip('=') ? BareItemParser.parse(r) : new BooleanItem(true));
    }
    return parameters;
  }

  private static String name(FieldReader r) {
    int start = r.pos();
    r.expect(c -> isLowerCase(c) || c == '*');
    r.skipAll(c -> isLowerCase(c) || BareItemParser.isDigit(c) || "_-.*".indexOf(c) >= 0);
    return r.since(start);
  }

  private static boolean isLowerCase(int c) {
    return c >= 'a' && c <= 'z';
  }
}
