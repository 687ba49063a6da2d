package dev.once.http;

import dev.once.http.FieldRefusedException.Reason;
import java.util.function.IntPredicate;

/** A field's value and the place in it that is read next. */
final class FieldReader {
  /** What {@link #peek} sees behind the last character. */
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

  /** The next character, without passing it. */
  int peek() {
    return atEnd() ? END : value.charAt(pos);
  }

  /** Passes the next character if it is {@code c}, and says whether it was. */
  boolean skip(char c) {
    boolean found = peek() == c;
    if (found) {
      pos++;
    }
    return found;
  }

  /** Passes all characters that are {@code allowed}, and says how many there were. */
  int skipAll(IntPredicate allowed) {
    int start = pos;
    while (!atEnd() && allowed.test(peek())) {
      pos++;
    }
    return pos - start;
  }

  /** Passes the next character, which has to be {@code c}. */
  void expect(char c) {
    expect(next -> next == c);
  }

  /** Passes the next character, which has to be {@code allowed}, and returns it. */
  char expect(IntPredicate allowed) {
    if (atEnd() || !allowed.test(peek())) {
      throw refuse(atEnd() ? Reason.TRUNCATED : Reason.SYNTAX);
    }
    return value.charAt(pos++);
  }

  /** What stands between {@code start} and here. */
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
