package dev.once.json;

import java.util.Map;

/**
 * Removes data that must not be stored or logged: members with sensitive names become {@code
 * "[redacted]"}, and phone numbers keep their last two digits.
 *
 * <p>A name is sensitive if its last words are a sensitive name or the plural of one. Words are
 * separated by case, digits and anything that is not a letter: {@code userPassword}, {@code
 * db_password} and {@code password2} are passwords, {@code token_count} is not a token. {@code
 * has_password} and {@code max_tokens} are not sensitive either, despite their last word.
 *
 * <p>In strings and in members' names, text that looks like a phone number is masked: 9 to 15
 * digits, alone or in groups, or at least 7 after a plus. UUIDs, ISO 8601 and Unix times, decimal
 * amounts and identifiers with letters are not masked. A string of digits alone is kept under a
 * name that ends in a word such as {@code id}, {@code reference}, {@code code}, {@code time} or
 * {@code amount}.
 *
 * <p>Under a name such as {@code phone} or {@code msisdn}, every string with 5 digits or more is
 * masked, and so are whole numbers of 7 to 15 digits, which become strings. In an object or array
 * under such a name the same applies to the values inside it, except to times, amounts and text
 * with letters.
 *
 * <p>Everything else keeps its order and its value; white space between tokens is dropped. The
 * result is JSON again and less than three times as long as the document. Redacting it again
 * changes nothing. Instances are immutable and thread-safe.
 */
public final class Redactor {
  private static final Redactor STANDARD = builder().build();

  private final JsonLimits limits;
  private final NameRules rules;

  private Redactor(JsonLimits limits, NameRules rules) {
    this.limits = limits;
    this.rules = rules;
  }

  /**
   * Returns a redactor for names that are sensitive nearly everywhere, within the default limits.
   */
  public static Redactor standard() {
    return STANDARD;
  }

  public static Builder builder() {
    return new Builder();
  }

  /**
   * Returns the document without sensitive data.
   *
   * @throws JsonRefusedException if it is not JSON with one meaning, or exceeds the limits
   */
  public byte[] json(byte[] document) {
    Walk walk = new Walk();
    walk.cursor.open(document, 0, document.length, limits.maxBytes());
    Redaction redaction = new Redaction(rules);
    walk.edit(limits, redaction);
    return redaction.result(walk.cursor);
  }

  /** Returns whether a member, header or parameter of this name is replaced as a whole. */
  public boolean isSensitive(String name) {
    return rules.mark(name) == Edits.WHOLE;
  }

  /** Returns the text with phone numbers masked. */
  public static String maskPhones(String text) {
    return PhoneMask.mask(text);
  }

  /** Settings of a {@link Redactor}, all optional. */
  public static final class Builder {
    private final Map<String, Long> marks = NameRules.known();
    private JsonLimits limits = JsonLimits.DEFAULTS;

    private Builder() {}

    /** Replaces members of this name too, and of longer names that end in it. */
    public Builder sensitive(String name) {
      return mark(name, Edits.WHOLE);
    }

    /** Treats values under this name, or a longer one that ends in it, as phone numbers. */
    public Builder phone(String name) {
      return mark(name, NameRules.PHONE);
    }

    /** Sets the limits that apply to documents. */
    public Builder limits(JsonLimits within) {
      limits = within;
      return this;
    }

    public Redactor build() {
      return new Redactor(limits, new NameRules(marks));
    }

    private Builder mark(String name, long mark) {
      String plain = NameRules.plain(name);
      if (plain.isEmpty()) {
        throw new IllegalArgumentException(
            "name must have a letter or digit, got \"" + name + "\"");
      }
      marks.put(plain, mark);
      return this;
    }
  }
}
