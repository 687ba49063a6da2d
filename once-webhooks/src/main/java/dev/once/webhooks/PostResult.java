package dev.once.webhooks;

import java.time.Duration;
import java.util.Optional;

/** What an endpoint answered. */
sealed interface PostResult {
  /** Any status from 200 to 299. */
  record Accepted() implements PostResult {}

  /** Status 410: the receiver wants no more messages. */
  record Gone() implements PostResult {}

  /**
   * Any other status, or no answer: it is unknown whether the receiver has the message.
   *
   * @param retryAfter when the receiver wants to be called again, if it said so
   */
  record Failed(String reason, Optional<Duration> retryAfter) implements PostResult {}
}
