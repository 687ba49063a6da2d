package dev.once.inbox;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Base64;
import java.util.List;

/**
 * Verifies signatures of Standard Webhooks 1.0.0: {@code v1}, over id, timestamp and body. Others,
 * such as {@code v1a}, are ignored.
 */
final class StandardSignature implements Verification {
  static final String ID = "webhook-id";
  private static final String TIMESTAMP = "webhook-timestamp";
  private static final String SIGNATURE = "webhook-signature";
  private static final String VERSION = "v1,";
  private static final String PREFIX = "whsec_";

  private final Secrets secrets;

  StandardSignature(String... secrets) {
    this.secrets = Secrets.of(secrets, StandardSignature::decode);
  }

  @Override
  public void verify(Delivery delivery, Freshness freshness) {
    String id = delivery.header(ID).orElse("");
    String timestamp = delivery.header(TIMESTAMP).orElse("");
    List<String> given = List.of(delivery.header(SIGNATURE).orElse("").split(" "));
    if (delivery.header(SIGNATURE).isEmpty() || id.isEmpty()) {
      throw new DeliveryRejectedException(RejectionReason.SIGNATURE_MISSING);
    }
    byte[] head = (id + "." + timestamp + ".").getBytes(UTF_8);
    if (!secrets.make(given, StandardSignature::spell, head, delivery.body())) {
      throw new DeliveryRejectedException(RejectionReason.SIGNATURE_INVALID);
    }
    freshness.check(timestamp);
  }

  /** Returns the signature with its version, so that it never equals one of another version. */
  private static String spell(byte[] mac) {
    return VERSION + Base64.getEncoder().encodeToString(mac);
  }

  private static byte[] decode(String secret) {
    String text = secret.startsWith(PREFIX) ? secret.substring(PREFIX.length()) : secret;
    try {
      return Base64.getDecoder().decode(Secrets.checked(text));
    } catch (IllegalArgumentException e) {
      // The cause would show a part of the secret.
      throw new IllegalArgumentException(
          "secret must be base64 with or without " + PREFIX + " in front, and not empty");
    }
  }
}
