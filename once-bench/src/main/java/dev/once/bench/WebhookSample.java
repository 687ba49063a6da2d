package dev.once.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.once.inbox.Delivery;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Deliveries as providers send them, signed where the provider signs them. */
final class WebhookSample {
  static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  static final String APP_SECRET = "app-secret";

  private static final String ALGORITHM = "HmacSHA256";
  private static final SecretKeySpec KEY =
      new SecretKeySpec(Base64.getDecoder().decode(SECRET.substring("whsec_".length())), ALGORITHM);
  private static final SecretKeySpec APP_KEY =
      new SecretKeySpec(APP_SECRET.getBytes(UTF_8), ALGORITHM);

  private WebhookSample() {}

  /** Returns a typical event of half a kilobyte. */
  static String body(String id) {
    return """
        {"id":"%s","type":"invoice.paid","timestamp":"2026-11-15T12:00:00Z","data":{\
        "invoice":"in_1MtHbELkdIwHu7ixl4OzzPMv","customer":"cus_NeZwdNtLEOXuvB","currency":"eur",\
        "amount":"1250.00","due":"2026-12-01","number":"INV-2026-004711","lines":[\
        {"sku":"tea-green-500","count":3,"price":"250.00"},\
        {"sku":"tea-black-250","count":2,"price":"250.00"}],\
        "address":{"line1":"12 Quay Street","city":"Galway","country":"IE","post":"H91 TY94"}}}"""
        .formatted(id);
  }

  /** Returns the event as Standard Webhooks requires it, with a current signature. */
  static Delivery standard(String id) {
    String body = body(id);
    String time = Long.toString(System.currentTimeMillis() / 1000);
    byte[] signature = sign(KEY, id + "." + time + "." + body);
    String encoded = "v1," + Base64.getEncoder().encodeToString(signature);
    return post(
        body, Map.of("webhook-id", id, "webhook-timestamp", time, "webhook-signature", encoded));
  }

  /** Returns a delivery of the WhatsApp Cloud API with a message for each of {@code ids}. */
  static Delivery whatsApp(List<String> ids) {
    String messages = ids.stream().map(WebhookSample::message).collect(Collectors.joining(","));
    String body =
        """
        {"object":"whatsapp_business_account","entry":[{"id":"102290129340398","time":1750263700,\
        "changes":[{"field":"messages","value":{"messaging_product":"whatsapp","metadata":\
        {"display_phone_number":"15550783881","phone_number_id":"106540352242922"},\
        "messages":[%s]}}]}]}"""
            .formatted(messages);
    String signature = "sha256=" + HexFormat.of().formatHex(sign(APP_KEY, body));
    return post(body, Map.of("x-hub-signature-256", signature));
  }

  static String message(String id) {
    return """
        {"from":"16505551234","id":"wamid.%s","timestamp":"%d","type":"text",\
        "text":{"body":"Is the green tea in stock again?"}}"""
        .formatted(id, Instant.now().getEpochSecond());
  }

  private static Delivery post(String body, Map<String, String> signed) {
    Map<String, String> headers = new HashMap<>(signed);
    headers.put("content-type", "application/json");
    return new Delivery("POST", List.of(), Map.of(), headers, body.getBytes(UTF_8));
  }

  private static byte[] sign(SecretKeySpec key, String content) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      return mac.doFinal(content.getBytes(UTF_8));
    } catch (GeneralSecurityException e) {
      throw new AssertionError("every Java platform has " + ALGORITHM, e);
    }
  }
}
