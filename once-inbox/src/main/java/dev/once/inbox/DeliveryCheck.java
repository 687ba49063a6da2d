package dev.once.inbox;

import java.util.List;

/** The result of applying a provider's rules to a delivery. */
sealed interface DeliveryCheck {
  /** The delivery is answered and nothing of it is stored: a challenge, or a refusal. */
  record Answered(WebhookResponse webhookResponse) implements DeliveryCheck {}

  /** The delivery is genuine and contains these items. */
  record Genuine(List<Item> items) implements DeliveryCheck {}
}
