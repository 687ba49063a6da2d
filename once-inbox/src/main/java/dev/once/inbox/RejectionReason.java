package dev.once.inbox;

import java.util.Map;
import java.util.TreeMap;

/**
 * The reasons why a delivery is refused. The texts are constants: a response contains nothing of
 * the delivery, and no secret.
 */
enum RejectionReason {
  /** The provider does not use this method. */
  METHOD(405, "webhook.method", "Method is not used by this provider"),
  /** The body is not of a type that the provider sends. */
  MEDIA_TYPE(415, "webhook.media_type", "Content-Type is not one of this provider"),
  /** The body has more bytes than the provider sends. */
  TOO_LARGE(413, "webhook.too_large", "Delivery is too large"),
  /** There is no signature where one is needed. */
  SIGNATURE_MISSING(401, "webhook.signature_missing", "Signature is missing"),
  /** None of the secrets produces this signature for this body. */
  SIGNATURE_INVALID(401, "webhook.signature_invalid", "Signature does not fit the delivery"),
  /** The delivery was signed too long ago, or in the future, or has no valid timestamp. */
  TIMESTAMP_REFUSED(401, "webhook.timestamp_refused", "Timestamp is not close to the present"),
  /** The request for the challenge has a wrong token, mode or challenge. */
  CHALLENGE_REFUSED(403, "webhook.challenge_refused", "Challenge is not answered"),
  /** The body is not what the provider is declared to send. */
  MALFORMED(400, "webhook.malformed", "Delivery cannot be read"),
  /** The delivery has no reference to a payment. */
  REFERENCE_MISSING(400, "webhook.reference_missing", "Delivery names no reference"),
  /** The delivery has more items than the provider is declared to send. */
  TOO_MANY_ITEMS(413, "webhook.too_many_items", "Delivery has too many items"),
  /** No such provider exists, or the path lacks the provider's token. */
  UNKNOWN_PROVIDER(404, "webhook.unknown_provider", "Provider is not known"),
  /** The delivery could not be recorded; the provider sends it again. */
  UNAVAILABLE(503, "webhook.unavailable", "Delivery cannot be taken in now");

  private static final String PAGE = "https://once.dev/problems/webhook#";
  private static final String PREFIX = "webhook.";

  private final int status;
  private final String code;
  private final String title;

  RejectionReason(int status, String code, String title) {
    this.status = status;
    this.code = code;
    this.title = title;
  }

  WebhookResponse webhookResponse() {
    return webhookResponse(Map.of());
  }

  /** Returns the response, with headers that help the sender. */
  WebhookResponse webhookResponse(Map<String, String> more) {
    Map<String, String> headers = new TreeMap<>(more);
    headers.put("Content-Type", "application/problem+json");
    // Codes and titles are constants without characters that JSON would escape.
    String body =
        "{\"type\":\"%s%s\",\"title\":\"%s\",\"status\":%d,\"code\":\"%s\"}"
            .formatted(PAGE, code.substring(PREFIX.length()), title, status, code);
    return new WebhookResponse(status, Map.copyOf(headers), body);
  }
}
