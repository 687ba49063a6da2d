package dev.once.inbox;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.function.Function;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The secrets that a provider signs with, by an HMAC. There are several while one replaces another.
 * Thread-safe.
 */
final class Secrets implements SignatureKeys {
  private static final String SHA_256 = "HmacSHA256";

  /** What Standard Webhooks puts before a secret. */
  private static final String PREFIX = "whsec_";

  private final String algorithm;
  private final List<String> texts;
  private final List<SecretKeySpec> keys;

  private Secrets(String algorithm, List<String> texts, Function<String, byte[]> decode) {
    this.algorithm = algorithm;
    this.texts = texts;
    this.keys =
        Signing.keys(texts).stream()
            .map(it -> new SecretKeySpec(decode.apply(checked(it)), algorithm))
            .toList();
  }

  /** Returns secrets whose UTF-8 form is the key. */
  static Secrets ofText(String... secrets) {
    return hmac(SHA_256, secrets);
  }

  /** Returns secrets whose UTF-8 form is the key, for an algorithm of {@link Mac}. */
  static Secrets hmac(String algorithm, String... secrets) {
    return new Secrets(algorithm, List.copyOf(Arrays.asList(secrets)), it -> it.getBytes(UTF_8));
  }

  /** Returns the same secrets, read as base64 with or without {@code whsec_} before it. */
  Secrets inBase64() {
    return new Secrets(algorithm, texts, Secrets::decode);
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
   * Compares texts, not decoded bytes: base64 and hexadecimal digits have several spellings of the
   * same bytes.
   */
  @Override
  public boolean verify(List<String> given, SignatureEncoding encoding, byte[] content) {
    boolean found = false;
    for (SecretKeySpec key : keys) {
      String signature = encoding.encode(sign(key, content));
      for (String each : given) {
        found |= areEqual(signature, each); // All are tried: the time reveals no match.
      }
    }
    return found;
  }

  private byte[] sign(SecretKeySpec key, byte[] content) {
    try {
      Mac mac = Mac.getInstance(algorithm);
      mac.init(key);
      return mac.doFinal(content);
    } catch (GeneralSecurityException e) {
      throw new AssertionError("every Java platform has " + algorithm, e);
    }
  }

  private static byte[] decode(String secret) {
    String text = secret.startsWith(PREFIX) ? secret.substring(PREFIX.length()) : secret;
    try {
      return Base64.getDecoder().decode(checked(text));
    } catch (IllegalArgumentException e) {
      // The cause would show a part of the secret.
      throw new IllegalArgumentException(
          "secret must be base64 with or without " + PREFIX + " in front, and not empty");
    }
  }

  @Override
  public String toString() {
    return "Secrets[" + keys.size() + "]";
  }
}
