package dev.once;

import dev.once.internal.Limits;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/**
 * Digest of a request, with the id of the algorithm that made it. Two requests under one key are
 * the same request if their fingerprints are equal. Fingerprints of different algorithms are never
 * equal, because nothing shows that they stand for the same request.
 *
 * @param algorithm what made the digest, such as {@code sha256}: 1 to 32 characters of {@code
 *     a-z0-9-}
 * @param digest the digest as unpadded base64url, at most 128 characters
 */
public record Fingerprint(String algorithm, String digest) {
  /** For operations that their key alone identifies. Equal to itself only. */
  public static final Fingerprint NONE = new Fingerprint("none", "");

  private static final int MAX_ALGORITHM_CHARS = 32;
  private static final int MAX_DIGEST_CHARS = 128;

  public Fingerprint {
    Limits.length("fingerprint algorithm", algorithm, 1, MAX_ALGORITHM_CHARS);
    Limits.length("fingerprint digest", digest, 0, MAX_DIGEST_CHARS);
    for (int i = 0; i < algorithm.length(); i++) {
      if (!isAlgorithmChar(algorithm.charAt(i))) {
        throw new IllegalArgumentException(
            "fingerprint algorithm must consist of a-z, 0-9 and -, got " + algorithm);
      }
    }
    // Stores count the digest in bytes, which must equal its number of characters.
    for (int i = 0; i < digest.length(); i++) {
      if (digest.charAt(i) <= ' ' || digest.charAt(i) >= 0x7f) {
        throw new IllegalArgumentException("fingerprint digest must be visible ASCII");
      }
    }
  }

  /** A fingerprint from the raw bytes that {@code algorithm} produced. */
  public static Fingerprint of(String algorithm, byte[] digest) {
    return new Fingerprint(
        algorithm, Base64.getUrlEncoder().withoutPadding().encodeToString(digest));
  }

  /**
   * SHA-256 over {@code parts}, each with its length in front: ("ab", "c") and ("a", "bc") differ.
   */
  public static Fingerprint sha256(byte[]... parts) {
    MessageDigest sha256 = newSha256();
    for (byte[] part : parts) {
      sha256.update(lengthOf(part));
      sha256.update(part);
    }
    return of("sha256", sha256.digest());
  }

  /** SHA-256 over the UTF-8 form of {@code parts}, each with its length in front. */
  public static Fingerprint sha256(String... parts) {
    byte[][] bytes = new byte[parts.length][];
    for (int i = 0; i < parts.length; i++) {
      Limits.utf8Bytes("part " + i, parts[i]);
      bytes[i] = parts[i].getBytes(StandardCharsets.UTF_8);
    }
    return sha256(bytes);
  }

  /** Reads what {@link #toString} wrote. */
  public static Fingerprint parse(String text) {
    int colon = text.indexOf(':');
    if (colon < 0) {
      throw new IllegalArgumentException("fingerprint must read algorithm:digest, got " + text);
    }
    return new Fingerprint(text.substring(0, colon), text.substring(colon + 1));
  }

  /**
   * Returns whether {@code other} is equal to this, in a time that does not depend on how much of
   * the digests is equal: a caller that measures it learns nothing about a digest.
   */
  public boolean matches(Fingerprint other) {
    return algorithm.equals(other.algorithm) // The algorithm is no secret.
        && MessageDigest.isEqual(
            digest.getBytes(StandardCharsets.US_ASCII),
            other.digest.getBytes(StandardCharsets.US_ASCII));
  }

  /** The form that stores keep: {@code algorithm:digest}. */
  @Override
  public String toString() {
    return algorithm + ":" + digest;
  }

  static MessageDigest newSha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java platform has SHA-256", e);
    }
  }

  private static boolean isAlgorithmChar(char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
  }

  private static byte[] lengthOf(byte[] part) {
    int n = part.length;
    return new byte[] {(byte) (n >>> 24), (byte) (n >>> 16), (byte) (n >>> 8), (byte) n};
  }
}
