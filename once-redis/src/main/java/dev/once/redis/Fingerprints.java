package dev.once.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.once.Fingerprint;
import java.security.MessageDigest;

/** Compares fingerprints in a time that does not depend on how much of their digests is equal. */
final class Fingerprints {
  private Fingerprints() {}

  static boolean equal(Fingerprint one, Fingerprint other) {
    return one.algorithm().equals(other.algorithm()) // The algorithm is no secret.
        && MessageDigest.isEqual(
            one.digest().getBytes(US_ASCII), other.digest().getBytes(US_ASCII));
  }
}
