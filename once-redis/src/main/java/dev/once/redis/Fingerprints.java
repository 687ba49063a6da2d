package dev.once.redis;

import dev.once.Fingerprint;

/** Compares fingerprints in a time that does not tell how much of them is alike. */
final class Fingerprints {
  private Fingerprints() {}

  static boolean equal(Fingerprint one, Fingerprint other) {
    return one.algorithm().equals(other.algorithm()) // Which is no secret.
        && equal(one.digest(), other.digest());
  }

  private static boolean equal(String one, String other) {
    if (one.length() != other.length()) {
      return false; // Which the algorithm tells.
    }
    int different = 0;
    for (int i = 0; i < one.length(); i++) {
      different |= one.charAt(i) ^ other.charAt(i);
    }
    return different == 0;
  }
}
