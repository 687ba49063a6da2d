package dev.once.inbox;

import java.util.Map;

/**
 * The response to a delivery.
 *
 * @param status the HTTP status: 200 if all items are stored, 503 if it is unknown what was stored,
 *     and any other status if nothing was; a challenge is answered with 200, too
 * @param headers headers by name, with the type of the body if there is one
 * @param body the body of the response, often empty
 */
public record WebhookResponse(int status, Map<String, String> headers, String body) {
  /**
   * The response if a {@link WebhookReceiver} threw an exception, so that it is unknown what was
   * stored: 503 with {@code Retry-After}, and nothing about the reason. The provider has to send
   * the delivery again; items that were stored are not stored twice.
   */
  public static final WebhookResponse UNAVAILABLE =
      // Long enough for a database to recover, and short for a provider that gives up after hours.
      RejectionReason.UNAVAILABLE.webhookResponse(Map.of("Retry-After", "5"));

  /** All items of the delivery are in the inbox, now or since an earlier delivery. */
  static final WebhookResponse ACCEPTED = new WebhookResponse(200, Map.of(), "");
}
