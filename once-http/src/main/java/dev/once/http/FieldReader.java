package dev.once.http;

import dev.once.http.FieldRefusedException.Reason;
import java.util.function.IntPredicate;

/** A field's value and the position of the next character to read. */
final class FieldReader {
  /** The result of {@link #peek} after the last character. */
  static final int END = -1;

  private final String value;
  private int pos;

  FieldReader(String value, int maxChars) {
    if (value.length() > maxChars) {
      throw new FieldRefusedException(Reason.TOO_LONG, maxChars);
    }
    this.value = value;
  }

  int pos() {
    return pos;
  }

  boolean atEnd() {
    return pos == value.length();
  }

  /** Returns the next character and does not consume it. */
  int peek() {
    return atEnd() ? END : value.charAt(pos);
  }

  /** Consumes the next character if it is {@code c}, and returns whether it was. */
  boolean skip(char c) {
    boolean found = peek() == c;
    if (found) {
      pos++;
    }
    return found;
  }

  /** Consumes all characters that are {@code allowed}, and returns their number. */
  int skipAll(IntPredicate allowed) {
    int start = pos;
    while (!atEnd() && allowed.test(peek())) {
      pos++;
    }
    return pos - start;
  }

  /** Consumes the next character, which must be {@code c}. */
  void expect(char c) {
    expect(next -> next == c);
  }

  /** Consumes the next character, which must be {@code allowed}, and returns it. */
  char expect(IntPredicate allowed) {
    if (atEnd() || !allowed.test(peek())) {
      throw refuse(atEnd() ? Reason.TRUNCATED : Reason.SYNTAX);
    }
    return value.charAt(pos++);
  }

  /** Returns the text from {@code start} to the current position. */
  String since(int start) {
    return value.substring(start, pos);
  }

  FieldRefusedException refuse(Reason reason) {
    return refuse(reason, pos);
  }

  FieldRefusedException refuse(Reason reason, int at) {
    return new FieldRefusedException(reason, at);
  }
}
