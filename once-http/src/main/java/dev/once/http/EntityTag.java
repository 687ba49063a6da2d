package dev.once.http;

import dev.once.http.FieldRefusedException.Reason;

/**
 * Identifies one version of a resource (RFC 9110, section 8.8.3). Opaque tags are compared exactly
 * and have no escapes.
 *
 * @param weak whether equivalent versions may share this tag
 * @param opaque the text between the quotes: visible characters up to U+00FF, without quotes
 */
public record EntityTag(boolean weak, String opaque) {
  private static final String WEAK = "W/";

  public EntityTag {
    int maxChars = EntityTags.MAX_CHARS - WEAK.length() - 2; // A longer one fits in no If-Match.
    if (opaque.length() > maxChars) {
      throw new IllegalArgumentException(
          "entity tag must have at most " + maxChars + " characters, got " + opaque.length());
    }
    for (int i = 0; i < opaque.length(); i++) {
      if (!isAllowed(opaque.charAt(i))) {
        throw new IllegalArgumentException(
            "entity tag must be visible characters up to U+00FF without quotes, got "
                + String.format("U+%04X at %d", (int) opaque.charAt(i), i));
      }
    }
  }

  /** Returns a tag that only one version has. */
  public static EntityTag strong(String opaque) {
    return new EntityTag(false, opaque);
  }

  /** Returns a tag that equivalent versions share. */
  public static EntityTag weak(String opaque) {
    return new EntityTag(true, opaque);
  }

  /**
   * Reads the value of an {@code ETag} header, such as {@code "3"} or {@code W/"3"}.
   *
   * @throws FieldRefusedException if it is not one entity tag and nothing else
   */
  public static EntityTag parse(String value) {
    FieldReader r = new FieldReader(value, EntityTags.MAX_CHARS);
    EntityTag tag = read(r);
    if (!r.atEnd()) {
      throw r.refuse(Reason.TRAILING_CONTENT);
    }
    return tag;
  }

  static EntityTag read(FieldReader r) {
    boolean weak = r.skip('W');
    if (weak) {
      r.expect('/');
    }
    r.expect('"');
    int start = r.pos();
    r.skipAll(EntityTag::isAllowed);
    String opaque = r.since(start);
    r.expect('"');
    return new EntityTag(weak, opaque);
  }

  /**
   * Returns whether both identify the same version; a weak tag never does, not even with itself.
   */
  public boolean matchesStrongly(EntityTag other) {
    return !weak && !other.weak && opaque.equals(other.opaque);
  }

  /** Returns whether both identify equivalent versions. */
  public boolean matchesWeakly(EntityTag other) {
    return opaque.equals(other.opaque);
  }

  /** Returns the tag as it is in a header. */
  @Override
  public String toString() {
    return (weak ? WEAK : "") + '"' + opaque + '"';
  }

  private static boolean isAllowed(int c) {
    return c > ' ' && c <= 0xff && c != '"' && c != 0x7f;
  }
}
