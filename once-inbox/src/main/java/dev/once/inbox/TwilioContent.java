package dev.once.inbox;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * What Twilio signs: the address and the fields of a form, or, for any other body, the address with
 * the body's SHA-256 in its query.
 *
 * @param url the address as it is configured at Twilio
 */
record TwilioContent(String url) implements SignedContent {
  TwilioContent {
    if (!url.startsWith("https://") && !url.startsWith("http://")) {
      throw new IllegalArgumentException(
          "url must be the whole address, beginning with https://, got " + url);
    }
  }

  @Override
  public byte[] of(Delivery delivery, String timestamp) {
    String content =
        FormFields.isForm(delivery)
            ? url + FormFields.sorted(delivery.body())
            : url + (url.contains("?") ? '&' : '?') + "bodySHA256=" + sha256(delivery.body());
    return content.getBytes(UTF_8);
  }

  private static String sha256(byte[] body) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(body));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java platform has SHA-256", e);
    }
  }
}
