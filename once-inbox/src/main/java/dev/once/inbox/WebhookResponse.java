package dev.once.inbox;

import java.util.Map;

/**
 * What a provider is told about its delivery.
 *
 * @param status the HTTP status; any other than 200 means that nothing was kept
 * @param headers headers by name, with the type of the body if there is one
 * @param body the answer's body, often empty
 */
public record WebhookResponse(int status, Map<String, String> headers, String body) {
  /** Everything in the delivery is in the inbox, now or since an earlier delivery. */
  static final WebhookResponse ACCEPTED = new WebhookResponse(200, Map.of(), "");
}
