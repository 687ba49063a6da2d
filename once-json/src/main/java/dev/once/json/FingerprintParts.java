package dev.once.json;

import dev.once.Fingerprint;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Combines the parts of one request, in order, into one fingerprint.
 *
 * <p>Each part is digested as a tag for its kind, its length and its bytes, so no two different
 * sequences of parts are the same bytes: text "1" is not JSON 1, ("ab", "c") is not ("a", "bc"),
 * and an absent part is not an empty one. An instance serves one call on one thread. After an
 * exception it cannot be used any more; start another.
 */
public final class FingerprintParts {
  private static final int ABSENT = 'N';
  private static final int TEXT = 'T';
  private static final int BYTES = 'B';
  private static final int JSON = 'J';
  private static final int HEADER_BYTES = 1 + Integer.BYTES;
  // Paths, queries and header values are far shorter; longer text is a body.
  private static final int MAX_TEXT_CHARS = 64 * 1024;
  private static final int MAX_KEPT_BYTES = 256 * 1024;

  private final String algorithm;
  private final CanonicalJson json;
  private final Pool<Workspace> pool;
  private @Nullable Workspace workspace;

  /** Memory that is reused from call to call. */
  static final class Workspace {
    private final Walk walk = new Walk();
    private final Digest digest;

    Workspace(Digest digest) {
      this.digest = digest;
    }
  }

  FingerprintParts(String algorithm, CanonicalJson json, Pool<Workspace> pool) {
    this.algorithm = algorithm;
    this.json = json;
    this.pool = pool;
    this.workspace = pool.take();
  }

  /** Adds a part that is absent: a missing header, no body. */
  public FingerprintParts absent() {
    Workspace held = hold();
    header(held.walk.cursor, ABSENT, 0);
    return release(held);
  }

  /** Adds text of at most 65536 characters. */
  public FingerprintParts text(String text) {
    if (text.length() > MAX_TEXT_CHARS) {
      throw new IllegalArgumentException(
          "text must have 0 to " + MAX_TEXT_CHARS + " characters, got " + text.length());
    }
    refuseLoneSurrogates(text);
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    Workspace held = hold();
    Cursor cursor = held.walk.cursor;
    header(cursor, TEXT, utf8.length);
    cursor.reserve(utf8.length);
    System.arraycopy(utf8, 0, cursor.out, cursor.length, utf8.length);
    cursor.length += utf8.length;
    return release(held);
  }

  /** Adds bytes as they are; their meaning, such as a media type, is a part of its own. */
  public FingerprintParts bytes(byte[] bytes) {
    return bytes(bytes, 0, bytes.length);
  }

  /** Adds {@code length} bytes from {@code offset} on, as they are. */
  public FingerprintParts bytes(byte[] bytes, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, bytes.length);
    Workspace held = hold();
    Cursor cursor = held.walk.cursor;
    header(cursor, BYTES, length);
    held.digest.update(cursor.out, 0, cursor.length);
    held.digest.update(bytes, offset, length);
    cursor.length = 0;
    return release(held);
  }

  /**
   * Adds a JSON document in its canonical form.
   *
   * @throws JsonRefusedException if it is not JSON with one meaning, or exceeds the limits
   */
  public FingerprintParts json(byte[] document) {
    return json(document, 0, document.length);
  }

  /**
   * Adds the JSON document in {@code length} bytes from {@code offset} on, in its canonical form.
   *
   * @throws JsonRefusedException if it is not JSON with one meaning, or exceeds the limits
   */
  public FingerprintParts json(byte[] document, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, document.length);
    Workspace held = hold();
    int start = header(held.walk.cursor, JSON, 0);
    json.write(held.walk, document, offset, length);
    setLength(held.walk.cursor, start);
    return release(held);
  }

  /**
   * Adds the JSON document in the stream, in its canonical form. It reads no further than one byte
   * beyond the limit, and does not close the stream.
   *
   * @throws JsonRefusedException if it is not JSON with one meaning, or exceeds the limits
   */
  public FingerprintParts json(InputStream document) throws IOException {
    Workspace held = hold();
    int start = header(held.walk.cursor, JSON, 0);
    json.write(held.walk, document);
    setLength(held.walk.cursor, start);
    return release(held);
  }

  /** Returns the fingerprint of all parts; nothing can be added afterwards. */
  public Fingerprint finish() {
    Workspace held = hold();
    Cursor cursor = held.walk.cursor;
    held.digest.update(cursor.out, 0, cursor.length);
    byte[] digest = held.digest.finish();
    held.walk.clear(MAX_KEPT_BYTES);
    pool.give(held);
    return Fingerprint.of(algorithm, digest);
  }

  /**
   * Removes the workspace until {@link #release}: after an exception in between, it contains an
   * incomplete part, which neither this call nor a later one may see.
   */
  private Workspace hold() {
    Workspace held = workspace;
    if (held == null) {
      throw new IllegalStateException("fingerprint is finished or has failed; start another");
    }
    workspace = null;
    return held;
  }

  private FingerprintParts release(Workspace held) {
    workspace = held;
    return this;
  }

  /** Writes a part's tag and length, and returns where the part starts. */
  private static int header(Cursor cursor, int tag, int length) {
    cursor.reserve(HEADER_BYTES);
    cursor.write(tag);
    for (int shift = 24; shift >= 0; shift -= 8) {
      cursor.write(length >>> shift);
    }
    return cursor.length;
  }

  /** Corrects the length of a part that starts at {@code start} and has now been written. */
  private static void setLength(Cursor cursor, int start) {
    int end = cursor.length;
    cursor.length = start - HEADER_BYTES;
    header(cursor, JSON, end - start);
    cursor.length = end;
  }

  /**
   * Refuses lone surrogates: UTF-8 has no form for them, so different texts would have the same
   * bytes.
   */
  private static void refuseLoneSurrogates(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isSurrogate(text.charAt(i))) {
        int codePoint = text.codePointAt(i);
        if (codePoint <= Character.MAX_VALUE) {
          throw new IllegalArgumentException(
              "text must be Unicode, got a lone surrogate at index " + i);
        }
        i++;
      }
    }
  }
}
