package dev.once.events;

import dev.once.Fingerprint;
import dev.once.internal.Limits;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;

/**
 * The thing whose events have an order, such as one order or one customer. Type and id are compared
 * character by character: case, spaces and Unicode forms all count.
 *
 * @param type its type, 1 to 100 characters
 * @param id its name among those of its type, 1 to 1024 characters
 */
public record Aggregate(String type, String id) {
  public static final int MAX_TYPE_CHARS = 100;
  public static final int MAX_ID_CHARS = 1024;

  /** A longer key ends with a digest: index entries and object names have limits. */
  private static final int MAX_PLAIN_KEY_CHARS = 200;

  private static final int PREFIX_CHARS = 120;
  private static final char SEPARATOR = '/';

  /** Not produced by the encoding, so that no plain key equals a shortened one. */
  private static final char SHORTENED = '~';

  public Aggregate {
    Limits.text("aggregate type", type, 1, MAX_TYPE_CHARS);
    Limits.text("aggregate id", id, 1, MAX_ID_CHARS);
  }

  /**
   * Returns a name that no other aggregate has, also where case does not count: at most 200 of the
   * characters a-z, 0-9, {@code - _ . % ~} and one slash.
   */
  public String key() {
    String key = encode(type) + SEPARATOR + encode(id);
    return key.length() <= MAX_PLAIN_KEY_CHARS ? key : shorten(key);
  }

  /** Shows the type and the key's digest: an id may be personal data, and has no place in a log. */
  @Override
  public String toString() {
    return type + "/#" + digest(key()).substring(0, 12);
  }

  /**
   * Writes all but lower-case letters, digits, minus and underscore as {@code %} and two digits.
   */
  static String encode(String text) {
    StringBuilder out = new StringBuilder(text.length());
    for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
      char c = (char) (b & 0xff);
      if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_') {
        out.append(c);
      } else {
        out.append('%').append(hex(c >> 4)).append(hex(c & 0xf));
      }
    }
    return out.toString();
  }

  private static String shorten(String key) {
    return key.substring(0, PREFIX_CHARS) + SHORTENED + digest(key);
  }

  /** Returns a digest in the characters that {@link #encode} leaves as they are. */
  private static String digest(String key) {
    byte[] sha256 = Base64.getUrlDecoder().decode(Fingerprint.sha256(key).digest());
    return HexFormat.of().formatHex(sha256);
  }

  private static char hex(int digit) {
    return Character.forDigit(digit, 16);
  }
}
