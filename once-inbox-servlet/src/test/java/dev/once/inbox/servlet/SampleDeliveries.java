package dev.once.inbox.servlet;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.once.inbox.Delivery;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Deliveries as providers send them. */
final class SampleDeliveries {
  /** When WhatsApp sent its deliveries, a few seconds ago. */
  static final Instant NOW = Instant.ofEpochSecond(1_750_263_780);

  static final String SECRET = "app-secret";

  private SampleDeliveries() {}

  /** Returns an unsigned delivery of this type. */
  static Delivery post(String type, String body) {
    return delivery("POST", Map.of("Content-Type", type), body);
  }

  /** Returns a callback of MTN MoMo. */
  static Delivery momo(String body) {
    return delivery("PUT", Map.of("Content-Type", "application/json"), body);
  }

  /** Returns a signed event of GitHub. */
  static Delivery gitHub(String id, String type, String body) {
    return signed(Map.of("Content-Type", type, "X-GitHub-Delivery", id), body);
  }

  /** Returns a signed message of WhatsApp. */
  static Delivery whatsApp(String id, String text) {
    return signed(
        Map.of("Content-Type", "application/json"),
        """
        {"object":"whatsapp_business_account","entry":[{"id":"1","changes":[\
        {"field":"messages","value":{"messaging_product":"whatsapp",\
        "metadata":{"phone_number_id":"106540352242922"},\
        "messages":[{"from":"16505551234","id":"%s","timestamp":"1750263773",\
        "type":"text","text":{"body":"%s"}}]}}]}]}"""
            .formatted(id, text));
  }

  private static Delivery signed(Map<String, String> headers, String body) {
    Map<String, String> all = new HashMap<>(headers);
    all.put("X-Hub-Signature-256", "sha256=" + HexFormat.of().formatHex(hmac(body)));
    return delivery("POST", all, body);
  }

  private static Delivery delivery(String method, Map<String, String> headers, String body) {
    return new Delivery(method, List.of(), Map.of(), headers, body.getBytes(UTF_8));
  }

  private static byte[] hmac(String content) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(SECRET.getBytes(UTF_8), "HmacSHA256"));
      return mac.doFinal(content.getBytes(UTF_8));
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }
}
