package dev.once.json;

/** Limits on the JSON that is read. Together they bound time and memory for any document. */
public final class JsonLimits {
  /** One mebibyte: larger bodies are uploads, and those are hashed as bytes. */
  public static final int DEFAULT_MAX_BYTES = 1 << 20;

  /** Several times the depth of any document that is designed by hand. */
  public static final int DEFAULT_MAX_DEPTH = 64;

  /** Every binary64 number written out exactly has at most 767 significant digits. */
  public static final int DEFAULT_MAX_DIGITS = 1_000;

  /** The range of decimal128, the widest decimal type in common use. */
  public static final int DEFAULT_MAX_EXPONENT = 6_144;

  /** The limits that apply by default. */
  public static final JsonLimits DEFAULTS =
      new JsonLimits(
          DEFAULT_MAX_BYTES, DEFAULT_MAX_DEPTH, DEFAULT_MAX_DIGITS, DEFAULT_MAX_EXPONENT);

  // Offsets are ints with a spare bit, and a canonical document may be five times its source.
  private static final int BYTES_CEILING = 64 << 20;
  private static final int DEPTH_CEILING = 10_000;
  // Integers of up to 21 digits are copied without a check, so no limit may forbid them.
  private static final int NUMBER_FLOOR = 21;
  private static final int NUMBER_CEILING = 1_000_000;

  private final int maxBytes;
  private final int maxDepth;
  private final int maxDigits;
  private final int maxExponent;

  private JsonLimits(int maxBytes, int maxDepth, int maxDigits, int maxExponent) {
    check("maxBytes", maxBytes, 1, BYTES_CEILING);
    check("maxDepth", maxDepth, 1, DEPTH_CEILING);
    check("maxDigits", maxDigits, NUMBER_FLOOR, NUMBER_CEILING);
    check("maxExponent", maxExponent, NUMBER_FLOOR, NUMBER_CEILING);
    this.maxBytes = maxBytes;
    this.maxDepth = maxDepth;
    this.maxDigits = maxDigits;
    this.maxExponent = maxExponent;
  }

  /** Returns the longest document, in bytes as received. */
  public int maxBytes() {
    return maxBytes;
  }

  /** Returns the deepest nesting of arrays and objects; a scalar has depth 0. */
  public int maxDepth() {
    return maxDepth;
  }

  /**
   * Returns how many significant digits a number may have; leading and trailing zeros do not count.
   */
  public int maxDigits() {
    return maxDigits;
  }

  /** Returns the largest power of ten, up or down, as written and in scientific notation. */
  public int maxExponent() {
    return maxExponent;
  }

  /** Returns these limits with another {@code maxBytes}. */
  public JsonLimits withMaxBytes(int bytes) {
    return new JsonLimits(bytes, maxDepth, maxDigits, maxExponent);
  }

  /** Returns these limits with another {@code maxDepth}. */
  public JsonLimits withMaxDepth(int depth) {
    return new JsonLimits(maxBytes, depth, maxDigits, maxExponent);
  }

  /** Returns these limits with another {@code maxDigits}. */
  public JsonLimits withMaxDigits(int digits) {
    return new JsonLimits(maxBytes, maxDepth, digits, maxExponent);
  }

  /** Returns these limits with another {@code maxExponent}. */
  public JsonLimits withMaxExponent(int exponent) {
    return new JsonLimits(maxBytes, maxDepth, maxDigits, exponent);
  }

  private static void check(String what, int value, int min, int max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException(
          what + " must be " + min + " to " + max + ", got " + value);
    }
  }
}
