package dev.once.inbox;

import java.util.Map;

/**
 * The response to a delivery.
 *
 * @param status the HTTP status; any status other than 200 means that nothing was stored
 * @param headers headers by name, with the type of the body if there is one
 * @param body the body of the response, often empty
 */
public record WebhookResponse(int status, Map<String, String> headers, String body) {
  /** All items of the delivery are in the inbox, now or since an earlier delivery. */
  static final WebhookResponse ACCEPTED = new WebhookResponse(200, Map.of(), "");
}
