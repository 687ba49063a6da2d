package dev.once.inbox;

import java.util.List;

/** What a provider's rules make of a delivery. */
sealed interface DeliveryCheck {
  /** It is answered, and nothing is kept: a challenge, or a refusal. */
  record Answered(WebhookResponse webhookResponse) implements DeliveryCheck {}

  /** It is what it claims to be, and brings these. */
  record Genuine(List<Item> items) implements DeliveryCheck {}
}
