package dev.once.http;

/**
 * Thrown for a header field whose value does not follow its grammar. The message never repeats the
 * value, so it may be logged and sent to the client.
 */
public final class FieldRefusedException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  private final Reason reason;
  private final int offset;

  FieldRefusedException(Reason reason, int offset) {
    super("field refused at character " + offset + ": " + reason.message);
    this.reason = reason;
    this.offset = offset;
  }

  /** Returns what is wrong with the value. */
  public Reason reason() {
    return reason;
  }

  /**
   * Returns where it is wrong: the number of characters before the first one that does not fit. The
   * lines of a field with several lines count as joined by a comma and a space.
   */
  public int offset() {
    return offset;
  }

  /** What is wrong with a field's value. */
  public enum Reason {
    /** The value contains only spaces and commas, or nothing. */
    EMPTY("the field has no value; send one or leave the field out"),
    /** The value has more characters than the field may have. */
    TOO_LONG("the value is too long; send less"),
    /** The field allows one value and was sent more than once. */
    SEVERAL_LINES("the field comes more than once; send it once"),
    /** The grammar does not allow this character here. */
    SYNTAX("this character cannot stand here; check the value against the field's grammar"),
    /** The value ends inside an element. */
    TRUNCATED("the value ends too soon; send all of it and close every quote"),
    /** A complete item is followed by more text. */
    TRAILING_CONTENT("more follows the item; send one item and nothing but parameters after it"),
    /** A number has more digits than a structured field may have. */
    TOO_MANY_DIGITS("the number has too many digits; send it as a string"),
    /** The text between colons is not base64. */
    NOT_BASE64("the byte sequence is not base64; encode it with the alphabet of RFC 4648"),
    /** The bytes of a display string are not UTF-8. */
    NOT_UTF8("the display string is not UTF-8; escape the bytes of well-formed UTF-8"),
    /** The list has more elements than the limit. */
    TOO_MANY_ELEMENTS("the list has too many elements; send fewer"),
    /** An asterisk means any entity tag, so it cannot be part of a list. */
    ANY_NOT_ALONE("* has to stand alone; send * or a list of entity tags");

    private final String message;

    Reason(String message) {
      this.message = message;
    }
  }
}
