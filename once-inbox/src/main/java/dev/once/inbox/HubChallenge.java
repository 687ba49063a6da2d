package dev.once.inbox;

import java.util.Map;
import java.util.regex.Pattern;

/**
 * How Meta makes sure that an address is ours before it sends anything: it shows a token that it
 * was given with the address, and wants its challenge back.
 */
final class HubChallenge {
  // Meta's are numbers of some ten digits; other text could be made to look like a page.
  private static final Pattern CHALLENGE = Pattern.compile("[\\x20-\\x7e]{1,256}");

  private final String token;

  HubChallenge(String token) {
    this.token = Secrets.checked(token);
  }

  WebhookResponse answer(Map<String, String> query) {
    String challenge = query.getOrDefault("hub.challenge", "");
    boolean isKnown = Secrets.areEqual(token, query.getOrDefault("hub.verify_token", ""));
    boolean isAsked = query.getOrDefault("hub.mode", "").equals("subscribe");
    if (!isKnown || !isAsked || !CHALLENGE.matcher(challenge).matches()) {
      throw new DeliveryRejectedException(RejectionReason.CHALLENGE_REFUSED);
    }
    return new WebhookResponse(
        200,
        Map.of(
            "Content-Type", "text/plain;charset=UTF-8",
            "X-Content-Type-Options", "nosniff",
            "Cache-Control", "no-store"),
        challenge);
  }
}
