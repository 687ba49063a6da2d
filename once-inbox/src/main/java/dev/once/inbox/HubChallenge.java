package dev.once.inbox;

import java.util.Map;
import java.util.regex.Pattern;

/**
 * Answers the request by which Meta verifies an address before it sends deliveries: Meta sends the
 * token that was configured with the address, and expects its challenge in the response.
 */
final class HubChallenge {
  // Meta's challenges are numbers of about ten digits; other text could be made to look like a
  // page.
  private static final Pattern CHALLENGE = Pattern.compile("[\\x20-\\x7e]{1,256}");

  private final String token;

  HubChallenge(String token) {
    this.token = Secrets.checked(token);
  }

  WebhookResponse answer(Map<String, String> query) {
    String challenge = query.getOrDefault("hub.challenge", "");
    boolean isKnown = Secrets.areEqual(token, query.getOrDefault("hub.verify_token", ""));
    boolean isSubscribe = query.getOrDefault("hub.mode", "").equals("subscribe");
    if (!isKnown || !isSubscribe || !CHALLENGE.matcher(challenge).matches()) {
      throw new DeliveryRejectedException(RejectionReason.CHALLENGE_REFUSED);
    }
    return answer(challenge);
  }

  /** Returns a response with the challenge that no browser takes for a page. */
  static WebhookResponse answer(String challenge) {
    return new WebhookResponse(
        200,
        Map.of(
            "Content-Type", "text/plain;charset=UTF-8",
            "X-Content-Type-Options", "nosniff",
            "Cache-Control", "no-store"),
        challenge);
  }
}
