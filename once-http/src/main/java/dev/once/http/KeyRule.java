package dev.once.http;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Which keys a contract accepts, and in which header. A key in double quotes is a Structured Field
 * String (RFC 9651) and is unquoted, so that {@code abc} and {@code "abc"} are the same key. A
 * value that could be two keys is refused: a second header line, or a comma outside quotes.
 */
public final class KeyRule {
  /** The syntax of a key. */
  public enum Form {
    /** Any printable ASCII, spaces included. */
    ASCII("[ -~]+", "printable ASCII characters"),
    /** A random UUID in its usual form, in upper or lower case. */
    UUID_V4("(?i)[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}", "a UUID v4"),
    /** A Structured Field String; accepted without quotes if that is unambiguous. */
    STRUCTURED("[ -~]+", "a Structured Field String such as \"8e03978e-40d5-43e8\"");

    private final Pattern pattern;
    private final String words;

    Form(String pattern, String words) {
      this.pattern = Pattern.compile(pattern);
      this.words = words;
    }
  }

  private static final int MAX_CHARS = 255;
  private static final Pattern UNQUOTED_ASCII = Pattern.compile("[ -~&&[^\",\\\\]]+");
  private static final Pattern UNQUOTED_STRUCTURED = Pattern.compile("[!-~&&[^\",;\\\\]]+");

  private final String header;
  private final Form form;
  private final int maxChars;

  private KeyRule(String header, Form form, int maxChars) {
    if (maxChars < 1 || maxChars > MAX_CHARS) {
      throw new IllegalArgumentException(
          "longest key must have 1 to " + MAX_CHARS + " characters, got " + maxChars);
    }
    this.header = header;
    this.form = form;
    this.maxChars = maxChars;
  }

  /**
   * Returns a rule for the keys in one header.
   *
   * @param maxChars the longest key, at most 255 characters
   */
  public static KeyRule of(String header, Form form, int maxChars) {
    return new KeyRule(header, form, maxChars);
  }

  /** Returns the name of the request header. */
  public String header() {
    return header;
  }

  /** Returns the syntax of a key. */
  public Form form() {
    return form;
  }

  /** Returns the longest key, at most 255 characters. */
  public int maxChars() {
    return maxChars;
  }

  /**
   * Reads the key from all lines of the header; empty if it is missing.
   *
   * @throws RefusedException if there is no valid key; its detail does not repeat the value
   */
  Optional<String> read(List<String> lines) {
    if (lines.isEmpty()) {
      return Optional.empty();
    }
    if (lines.size() > 1) {
      throw invalid("came " + lines.size() + " times; send one");
    }
    String value = trim(lines.get(0));
    if (form != Form.UUID_V4 && (value.isEmpty() || value.equals("\"\""))) {
      throw invalid("must have 1 to " + maxChars + " characters, got 0");
    }
    Optional<String> key = value.startsWith("\"") ? unquoted(value) : bare(value);
    if (key.isEmpty() || !form.pattern.matcher(key.get()).matches()) {
      throw invalid("must be " + form.words + offender(value));
    }
    int length = key.get().length();
    if (length > maxChars) {
      throw invalid("must have 1 to " + maxChars + " characters, got " + length);
    }
    // UUIDs are case-insensitive, and one client may use both cases.
    return form == Form.UUID_V4 ? key.map(KeyRule::lower) : key;
  }

  /** Names the first character that no key may have, or that a key may have in quotes alone. */
  private String offender(String value) {
    boolean isQuoted = value.startsWith("\"");
    String reserved = form == Form.STRUCTURED ? "\",\\; " : "\",\\";
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      String where = " at position " + (i + 1);
      if (c < ' ' || c > '~') {
        return String.format("; got U+%04X", (int) c) + where;
      }
      if (!isQuoted && reserved.indexOf(c) >= 0) {
        return "; got '" + c + "'" + where + ", which may stand only in a key in double quotes";
      }
    }
    return isQuoted ? "; a key in double quotes must be one String of RFC 9651" : "";
  }

  /** Removes the white space that HTTP allows around a value; other characters belong to it. */
  private static String trim(String line) {
    int start = 0;
    int end = line.length();
    while (start < end && isBlank(line.charAt(start))) {
      start++;
    }
    while (start < end && isBlank(line.charAt(end - 1))) {
      end--;
    }
    return line.substring(start, end);
  }

  private static boolean isBlank(char c) {
    return c == ' ' || c == '\t';
  }

  private static Optional<String> unquoted(String value) {
    try {
      BareItem item = StructuredItem.parse(List.of(value)).value();
      return item instanceof BareItem.StringItem it ? Optional.of(it.value()) : Optional.empty();
    } catch (FieldRefusedException e) {
      return Optional.empty();
    }
  }

  private Optional<String> bare(String value) {
    Pattern allowed = form == Form.STRUCTURED ? UNQUOTED_STRUCTURED : UNQUOTED_ASCII;
    return allowed.matcher(value).matches() ? Optional.of(value) : Optional.empty();
  }

  private RefusedException invalid(String why) {
    return new RefusedException(Refusal.KEY_INVALID, header + " " + why);
  }

  private static String lower(String key) {
    return key.toLowerCase(Locale.ROOT);
  }
}
