package dev.once.inbox;

import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** Answers the challenge that Slack sends, signed, when an address is entered. */
final class SlackChallenge {
  private static final String TYPE = "url_verification";
  private static final String FORM = "[A-Za-z0-9._-]{1,256}";

  private SlackChallenge() {}

  /** Returns the answer; empty if the delivery is something else. */
  static Optional<WebhookResponse> answer(Delivery verified) {
    if (FormFields.isForm(verified)) {
      return Optional.empty();
    }
    JsonNode json = StrictJson.parse(verified.body());
    if (!json.path("type").stringValue("").equals(TYPE)) {
      return Optional.empty();
    }
    String challenge = json.path("challenge").stringValue("");
    if (!challenge.matches(FORM)) {
      throw new DeliveryRejectedException(RejectionReason.CHALLENGE_REFUSED);
    }
    return Optional.of(HubChallenge.answer(challenge));
  }
}
