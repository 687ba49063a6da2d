package dev.once.inbox;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/**
 * Verifies Stripe-Signature: {@code t=<unix>,v1=<hex>[,v1=<hex>]} over timestamp and body. The key
 * is the whole secret, with its {@code whsec_}. Schemes other than {@code v1} are ignored.
 */
final class StripeSignature implements Verification {
  private static final String HEADER = "stripe-signature";
  private static final String TIMESTAMP = "t=";
  private static final String SCHEME = "v1=";

  private final Secrets secrets;

  StripeSignature(String... secrets) {
    this.secrets = Secrets.ofText(secrets);
  }

  @Override
  public void verify(Delivery delivery, Freshness freshness) {
    String header =
        delivery
            .header(HEADER)
            .orElseThrow(() -> new DeliveryRejectedException(RejectionReason.SIGNATURE_MISSING));
    List<String> timestamps = elements(header, TIMESTAMP);
    // With two timestamps, it is unknown which one was signed.
    if (timestamps.size() != 1) {
      throw new DeliveryRejectedException(RejectionReason.SIGNATURE_INVALID);
    }
    String timestamp = timestamps.get(0);
    byte[] head = (timestamp + ".").getBytes(UTF_8);
    List<String> given = elements(header, SCHEME);
    if (!secrets.make(given, HexFormat.of()::formatHex, head, delivery.body())) {
      throw new DeliveryRejectedException(RejectionReason.SIGNATURE_INVALID);
    }
    freshness.check(timestamp);
  }

  private static List<String> elements(String header, String prefix) {
    return Arrays.stream(header.split(","))
        .filter(it -> it.startsWith(prefix))
        .map(it -> it.substring(prefix.length()))
        .toList();
  }
}
