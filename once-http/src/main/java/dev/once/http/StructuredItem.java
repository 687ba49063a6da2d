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
 * @param parameters in the order in which their names first came
 */
record StructuredItem(BareItem value, Map<String, BareItem> parameters) {
  /** The RFC asks for 16384 bytes at least, which take 21848 characters of base64. */
  static final int MAX_CHARS = 32 * 1024;

  StructuredItem {
    parameters = Collections.unmodifiableMap(new LinkedHashMap<>(parameters));
  }

  /**
   * Reads the one item that {@code lines}, the field's values as received, have to hold.
   *
   * @throws FieldRefusedException if they do not
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
   * Joined by a comma, as the RFC has it, several lines are one item only when the comma falls
   * inside a string. That string is not what anybody sent, and the RFC allows to refuse it.
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
