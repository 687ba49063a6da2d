package dev.once.webhooks;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.once.internal.Limits;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.spec.EdECPrivateKeySpec;
import java.security.spec.NamedParameterSpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** The keys of an endpoint, which sign as Standard Webhooks says. Thread-safe. */
final class SigningKeys {
  /** Two while one replaces the other, of each kind. */
  static final int MAX_KEYS = 4;

  static final int MIN_SECRET_BYTES = 24;
  static final int MAX_SECRET_BYTES = 64;

  private static final String SECRET = "whsec_";
  private static final String PRIVATE_KEY = "whsk_";
  private static final String HMAC = "HmacSHA256";
  private static final int SEED_BYTES = 32;
  private static final SecureRandom RANDOM = new SecureRandom();

  private final List<String> texts;
  private final List<Key> keys;

  private interface Key {
    /** Returns the version of the scheme, a comma and the signature in base64. */
    String sign(byte[] content) throws GeneralSecurityException;
  }

  private SigningKeys(List<String> texts) {
    Limits.range("secrets of an endpoint", texts.size(), 1, MAX_KEYS);
    this.texts = List.copyOf(texts);
    this.keys = texts.stream().map(SigningKeys::key).toList();
  }

  static SigningKeys parse(List<String> texts) {
    return new SigningKeys(texts);
  }

  static String newSecret() {
    byte[] secret = new byte[SEED_BYTES];
    RANDOM.nextBytes(secret);
    return SECRET + Base64.getEncoder().encodeToString(secret);
  }

  List<String> texts() {
    return texts;
  }

  /** Returns the header {@code webhook-signature}: a signature by each key. */
  String sign(String messageId, long timestamp, byte[] body) {
    byte[] head = (messageId + "." + timestamp + ".").getBytes(US_ASCII);
    byte[] content = Arrays.copyOf(head, head.length + body.length);
    System.arraycopy(body, 0, content, head.length, body.length);
    return keys.stream().map(it -> sign(it, content)).collect(Collectors.joining(" "));
  }

  private static String sign(Key key, byte[] content) {
    try {
      return key.sign(content);
    } catch (GeneralSecurityException e) {
      throw new AssertionError("every Java platform has these algorithms", e);
    }
  }

  private static Key key(String text) {
    return text.startsWith(PRIVATE_KEY)
        ? ed25519(decode(text, PRIVATE_KEY))
        : hmac(decode(text, SECRET));
  }

  private static Key hmac(byte[] secret) {
    Limits.range("bytes of a secret", secret.length, MIN_SECRET_BYTES, MAX_SECRET_BYTES);
    SecretKeySpec key = new SecretKeySpec(secret, HMAC);
    return content -> {
      Mac mac = Mac.getInstance(HMAC);
      mac.init(key);
      return "v1," + Base64.getEncoder().encodeToString(mac.doFinal(content));
    };
  }

  /** Reads the seed, which some libraries have before the public key. */
  private static Key ed25519(byte[] bytes) {
    if (bytes.length != SEED_BYTES && bytes.length != 2 * SEED_BYTES) {
      throw new IllegalArgumentException(
          "private key of Ed25519 must have 32 or 64 bytes, got " + bytes.length);
    }
    PrivateKey key = privateKey(Arrays.copyOf(bytes, SEED_BYTES));
    return content -> {
      Signature signature = Signature.getInstance("Ed25519");
      signature.initSign(key);
      signature.update(content);
      return "v1a," + Base64.getEncoder().encodeToString(signature.sign());
    };
  }

  private static PrivateKey privateKey(byte[] seed) {
    try {
      return KeyFactory.getInstance("Ed25519")
          .generatePrivate(new EdECPrivateKeySpec(NamedParameterSpec.ED25519, seed));
    } catch (GeneralSecurityException e) {
      throw new AssertionError("every Java platform has Ed25519", e);
    }
  }

  private static byte[] decode(String text, String prefix) {
    try {
      return Base64.getDecoder()
          .decode(text.startsWith(prefix) ? text.substring(prefix.length()) : text);
    } catch (IllegalArgumentException e) {
      // The cause would show a part of the secret.
      throw new IllegalArgumentException(
          "secret must be base64 after %s or %s".formatted(SECRET, PRIVATE_KEY));
    }
  }

  @Override
  public String toString() {
    return "SigningKeys[" + keys.size() + "]";
  }
}
