package dev.once.inbox;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Signs as providers do, independently of the code that verifies. */
final class Signed {
  static final String SECRET = "app-secret";
  static final String BASE64_SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

  private Signed() {}

  static Delivery hub(String body, String... headers) {
    String signature = "sha256=" + hex(hmac(SECRET.getBytes(UTF_8), body));
    Delivery plain = Sent.post(body, headers);
    return with(plain, "x-hub-signature-256", signature);
  }

  static Delivery stripe(long time, String body) {
    String signature = hex(hmac(SECRET.getBytes(UTF_8), time + "." + body));
    return Sent.post(body, "Stripe-Signature", "t=" + time + ",v1=" + signature);
  }

  static Delivery standard(String id, String time, String body) {
    byte[] key = Base64.getDecoder().decode(BASE64_SECRET.replace("whsec_", ""));
    byte[] mac = hmac(key, id + "." + time + "." + body);
    return Sent.post(
        body,
        "webhook-id",
        id,
        "webhook-timestamp",
        time,
        "webhook-signature",
        "v1," + Base64.getEncoder().encodeToString(mac));
  }

  static Delivery with(Delivery delivery, String header, String value) {
    Map<String, String> headers = new HashMap<>(delivery.headers());
    headers.put(header, value);
    return new Delivery(
        delivery.method(), delivery.path(), delivery.query(), headers, delivery.body());
  }

  static String hex(byte[] mac) {
    return HexFormat.of().formatHex(mac);
  }

  static byte[] hmac(byte[] key, String content) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      return mac.doFinal(content.getBytes(UTF_8));
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }
}
