package dev.once.json;

/**
 * Limits on the JSON that is read. Together they bound time and memory for any document.
 *
 * @param maxBytes longest document, in bytes as received
 * @param maxDepth deepest nesting of arrays and objects; a scalar has depth 0
 * @param maxDigits most significant digits in one number; leading and trailing zeros do not count
 * @param maxExponent largest power of ten, up or down, as written and in scientific notation
 */
public record JsonLimits(int maxBytes, int maxDepth, int maxDigits, int maxExponent) {
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

  public JsonLimits {
    check("maxBytes", maxBytes, 1, BYTES_CEILING);
    check("maxDepth", maxDepth, 1, DEPTH_CEILING);
    check("maxDigits", maxDigits, NUMBER_FLOOR, NUMBER_CEILING);
    check("maxExponent", maxExponent, NUMBER_FLOOR, NUMBER_CEILING);
  }

  /** Returns these limits with another {@code maxBytes}. */
  public JsonLimits withMaxBytes(int bytes) {
    return new JsonLimits(bytes, maxDepth, maxDigits, maxExponent);
  }

  /** Returns these limits with another {@code maxDepth}. */
  public JsonLimits withMaxDepth(int depth) {
    return new JsonLimits(maxBytes, depth, maxDigits, maxExponent);
  }

  private static void check(String what, int value, int min, int max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException(
          what + " must be " + min + " to " + max + ", got " + value);
    }
  }
}
