package dev.once.webhooks;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.once.Headers;
import dev.once.Key;
import dev.once.internal.Limits;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A message for the endpoints of a tenant. Immutable; {@code WebhookMessage.of("acme", "msg_1",
 * "invoice.paid", json).to("billing")}.
 */
public final class WebhookMessage {
  /** Receivers want small messages: send an id, and offer the rest at a URL. */
  public static final int MAX_PAYLOAD_BYTES = 256 * 1024;

  /** Standard Webhooks separates what is signed by full stops, so an id must not contain one. */
  private static final Pattern ID = Pattern.compile("[A-Za-z0-9_:-]{1,128}");

  private static final Pattern TYPE = Pattern.compile("[A-Za-z0-9._-]{1,128}");

  private final String tenant;
  private final String id;
  private final String type;
  private final byte[] payload;
  private final Optional<String> endpoint;
  private final Headers correlation;

  private WebhookMessage(
      String tenant,
      String id,
      String type,
      byte[] payload,
      Optional<String> endpoint,
      Headers correlation) {
    this.tenant = tenant;
    this.id = id;
    this.type = type;
    this.payload = payload;
    this.endpoint = endpoint;
    this.correlation = correlation;
  }

  /**
   * Returns a message for all endpoints of {@code tenant} that receive {@code type}.
   *
   * @param id is sent as {@code webhook-id}, the same in every attempt: 1 to 128 characters of A-Z,
   *     a-z, 0-9, '_', ':' and '-'. An endpoint is sent one message under an id
   * @param type what happened, such as {@code invoice.paid}: 1 to 128 characters of A-Z, a-z, 0-9,
   *     '.', '_' and '-'
   * @param json the body, sent as it is
   */
  public static WebhookMessage of(String tenant, String id, String type, String json) {
    return of(tenant, id, type, json.getBytes(UTF_8));
  }

  /** Returns a message whose body is {@code json}. The bytes are shared: do not change them. */
  public static WebhookMessage of(String tenant, String id, String type, byte[] json) {
    Limits.text("tenant", tenant, 1, Key.MAX_TENANT_CHARS);
    if (!ID.matcher(id).matches()) {
      throw new IllegalArgumentException(
          "id of a message must have 1 to 128 characters of A-Z, a-z, 0-9, '_', ':' and '-', got "
              + id.length()
              + " characters or others");
    }
    requireType(type);
    Limits.range("bytes of a message", json.length, 1, MAX_PAYLOAD_BYTES);
    return new WebhookMessage(tenant, id, type, json, Optional.empty(), Headers.NONE);
  }

  static void requireType(String type) {
    if (!TYPE.matcher(type).matches()) {
      throw new IllegalArgumentException(
          "type of a message must have 1 to 128 characters of A-Z, a-z, 0-9, '.', '_' and '-', got "
              + type);
    }
  }

  /** Sends it to this endpoint alone, whatever types the endpoint receives. */
  public WebhookMessage to(String endpoint) {
    WebhookEndpoint.requireId(endpoint);
    return new WebhookMessage(tenant, id, type, payload, Optional.of(endpoint), correlation);
  }

  /** Sets ids that are stored with its jobs; they are not sent. */
  public WebhookMessage withCorrelation(Headers correlation) {
    return new WebhookMessage(tenant, id, type, payload, endpoint, correlation);
  }

  public String tenant() {
    return tenant;
  }

  public String id() {
    return id;
  }

  public String type() {
    return type;
  }

  /** Returns the endpoint that it is for; empty for all that receive its type. */
  public Optional<String> endpoint() {
    return endpoint;
  }

  byte[] payload() {
    return payload;
  }

  Headers correlation() {
    return correlation;
  }

  /** Shows the size alone: payloads stay out of logs. */
  @Override
  public String toString() {
    return "WebhookMessage[%s, %s, %s, %d bytes]".formatted(tenant, id, type, payload.length);
  }
}
