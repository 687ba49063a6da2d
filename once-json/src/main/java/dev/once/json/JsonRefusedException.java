package dev.once.json;

/**
 * Thrown for a document that has no single meaning, is not JSON, or exceeds {@link JsonLimits}. The
 * message never repeats the document, so it may be logged and sent to the client.
 */
public final class JsonRefusedException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  private final Reason reason;
  private final int offset;

  JsonRefusedException(Reason reason, int offset) {
    super("JSON refused at byte " + offset + ": " + reason.message);
    this.reason = reason;
    this.offset = offset;
  }

  /** Returns the reason why the document is refused. */
  public Reason reason() {
    return reason;
  }

  /** Returns where it is wrong: the number of bytes before the first invalid one. */
  public int offset() {
    return offset;
  }

  /** The reasons to refuse a document. */
  public enum Reason {
    /** The document has only white space. */
    EMPTY("the document is empty; send a value, or fingerprint it as bytes"),
    /** The bytes are UTF-16, start with a byte order mark, or are not well-formed UTF-8. */
    NOT_UTF8("the text is not plain UTF-8; encode it as UTF-8 without a byte order mark"),
    /** The grammar of RFC 8259 does not allow this byte here. */
    SYNTAX("this byte cannot stand here; check the document against RFC 8259"),
    /** The document ends inside a value. */
    TRUNCATED("the document ends too soon; send all of it"),
    /** The document continues after its value. */
    TRAILING_CONTENT("more follows the value; send one value and nothing after it"),
    /** Two members of one object have the same name once unescaped. */
    DUPLICATE_NAME("the object already has a member of this name; send each name once"),
    /** A surrogate has no partner, so the string is not Unicode text. */
    LONE_SURROGATE("a surrogate has no partner; send surrogates in pairs or not at all"),
    /** The document has more than {@link JsonLimits#maxBytes}. */
    TOO_LARGE("the document has more bytes than allowed; send less"),
    /** The document is nested deeper than {@link JsonLimits#maxDepth}. */
    TOO_DEEP("the nesting is deeper than allowed; flatten the document"),
    /** A number has more significant digits than {@link JsonLimits#maxDigits}. */
    TOO_MANY_DIGITS("the number has more digits than allowed; send it as a string"),
    /** A number's power of ten is beyond {@link JsonLimits#maxExponent}. */
    EXPONENT_TOO_LARGE("the exponent is beyond maxExponent; send the number as a string");

    private final String message;

    Reason(String message) {
      this.message = message;
    }
  }
}
