package dev.once.webhooks;

import java.time.Duration;

/** An event about a message or an endpoint. It contains no payload, no URL and no secret. */
public sealed interface WebhookEvent {
  String tenant();

  String endpoint();

  /** The endpoint answered with a status from 200 to 299. */
  record Delivered(String tenant, String endpoint, String message, int attempt, Duration took)
      implements WebhookEvent {}

  /** An attempt failed. The next one follows, or the message becomes a dead letter. */
  record Failed(String tenant, String endpoint, String message, int attempt, String reason)
      implements WebhookEvent {}

  /** An endpoint is not called any more, until an operator enables it; its messages wait. */
  record Disabled(String tenant, String endpoint, String reason) implements WebhookEvent {}

  /** A message is not sent, because its endpoint was removed. */
  record Dropped(String tenant, String endpoint, String message) implements WebhookEvent {}
}
