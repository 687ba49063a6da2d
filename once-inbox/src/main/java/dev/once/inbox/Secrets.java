package dev.once.inbox;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The secrets that a provider signs with, by HMAC-SHA-256. There are several while one replaces
 * another. Thread-safe.
 */
final class Secrets {
  private static final String ALGORITHM = "HmacSHA256";

  private final List<SecretKeySpec> keys;

  private Secrets(List<byte[]> keys) {
    if (keys.isEmpty()) {
      throw new IllegalArgumentException("there must be 1 secret or more, got 0");
    }
    this.keys = keys.stream().map(it -> new SecretKeySpec(it, ALGORITHM)).toList();
  }

  /** Returns secrets whose UTF-8 form is the key. */
  static Secrets ofText(String... secrets) {
    return of(secrets, it -> it.getBytes(UTF_8));
  }

  /** Returns secrets that {@code decode} converts to keys. */
  static Secrets of(String[] secrets, Function<String, byte[]> decode) {
    return new Secrets(Arrays.stream(secrets).map(Secrets::checked).map(decode).toList());
  }

  static String checked(String secret) {
    if (secret.isBlank()) {
      throw new IllegalArgumentException("secret must not be empty");
    }
    return secret;
  }

  /** Returns whether two texts are equal, in a time that does not depend on where they differ. */
  static boolean areEqual(String secret, String given) {
    return MessageDigest.isEqual(secret.getBytes(UTF_8), given.getBytes(UTF_8));
  }

  /**
   * Returns whether one of these secrets produces one of the signatures {@code given}. It compares
   * texts, not decoded bytes: base64 and hexadecimal digits have several spellings of the same
   * bytes.
   */
  boolean make(List<String> given, Function<byte[], String> spelling, byte[]... parts) {
    boolean found = false;
    for (SecretKeySpec key : keys) {
      String signature = spelling.apply(sign(key, parts));
      for (String each : given) {
        found |= areEqual(signature, each); // All are tried: the time reveals no match.
      }
    }
    return found;
  }

  private static byte[] sign(SecretKeySpec key, byte[]... parts) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      for (byte[] part : parts) {
        mac.update(part);
      }
      return mac.doFinal();
    } catch (GeneralSecurityException e) {
      throw new AssertionError("every Java platform has " + ALGORITHM, e);
    }
  }

  @Override
  public String toString() {
    return "Secrets[" + keys.size() + "]";
  }
}
