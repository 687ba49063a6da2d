package dev.once.json;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Optional;

/**
 * Writes every spelling of a JSON document as one text, so that equal bytes mean an equal document.
 *
 * <p>The text follows RFC 8785, the JSON Canonicalization Scheme, with one difference: a number
 * keeps its exact decimal value where RFC 8785 rounds it to binary64. So 1, 1.0 and 10e-1 are
 * equal, and 9007199254740993 and 9007199254740992 are not. A number that binary64 prints and reads
 * back unchanged has the same text in both.
 *
 * <p>Members that change between retries, such as a time of sending, can be omitted by name or by
 * pointer. Omitted members are still checked. Instances are immutable and thread-safe.
 */
public final class CanonicalJson {
  private static final CanonicalJson STANDARD =
      new CanonicalJson(JsonLimits.DEFAULTS, new Omissions());

  private final JsonLimits limits;
  private final Omissions omissions;

  private CanonicalJson(JsonLimits limits, Omissions omissions) {
    this.limits = limits;
    this.omissions = omissions;
  }

  /** Returns the rule without omissions, within the default limits. */
  public static CanonicalJson standard() {
    return STANDARD;
  }

  /** Returns the same rule within other limits. */
  public CanonicalJson within(JsonLimits other) {
    return new CanonicalJson(other, omissions);
  }

  /** Returns the same rule without members of this name, at any depth. */
  public CanonicalJson withoutNamed(String name) {
    return new CanonicalJson(limits, omissions.andNamed(name));
  }

  /**
   * Returns the same rule without members of this name, at any depth, whose value is a time: a date
   * and time by ISO 8601, or seconds or milliseconds since 1970 in the years 2000 to 2099. Other
   * values of these members stay. Fingerprints by such a rule say so: {@link
   * Fingerprinter#leavesOutTimes}.
   */
  public CanonicalJson withoutTimesNamed(String name) {
    return new CanonicalJson(limits, omissions.andTimesNamed(name));
  }

  boolean leavesOutTimes() {
    return omissions.hasTimes();
  }

  /**
   * Returns the same rule without the value at this JSON Pointer (RFC 6901). Indexes count the
   * elements as received, also when several are omitted.
   */
  public CanonicalJson withoutAt(String pointer) {
    return new CanonicalJson(limits, omissions.andAt(pointer));
  }

  /** Returns the limits that apply. */
  public JsonLimits limits() {
    return limits;
  }

  /**
   * Returns the canonical text of {@code json}, in UTF-8.
   *
   * @throws JsonRefusedException if it is not JSON with one meaning, or exceeds the limits
   */
  public byte[] bytes(byte[] json) {
    Walk walk = new Walk();
    write(walk, json, 0, json.length);
    return Arrays.copyOf(walk.cursor.out, walk.cursor.length);
  }

  /**
   * Returns the canonical text of the document in {@code json}, in UTF-8. It reads no further than
   * one byte beyond the limit, and does not close the stream.
   *
   * @throws JsonRefusedException if it is not JSON with one meaning, or exceeds the limits
   */
  public byte[] bytes(InputStream json) throws IOException {
    Walk walk = new Walk();
    write(walk, json);
    return Arrays.copyOf(walk.cursor.out, walk.cursor.length);
  }

  /**
   * Returns the canonical text, in UTF-8, of the value at a JSON Pointer (RFC 6901); empty if the
   * document has none there. Omissions do not apply.
   *
   * @throws JsonRefusedException if the document is not JSON with one meaning, or exceeds the
   *     limits
   */
  public Optional<byte[]> valueAt(String pointer, byte[] json) {
    Walk walk = new Walk();
    Extraction extraction = new Extraction(pointer);
    walk.cursor.open(json, 0, json.length, limits.maxBytes());
    walk.canonical(limits, extraction);
    return Optional.ofNullable(extraction.value());
  }

  void write(Walk walk, byte[] json, int offset, int length) {
    walk.cursor.open(json, offset, length, limits.maxBytes());
    walk.canonical(limits, omissions);
  }

  void write(Walk walk, InputStream json) throws IOException {
    walk.cursor.open(json, limits.maxBytes());
    walk.canonical(limits, omissions);
  }
}
