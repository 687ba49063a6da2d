package dev.once.inbox;

import java.time.Duration;

/**
 * Queries the provider whether a delivery in its name is true. For providers that do not sign: any
 * client can send such a delivery, so it only indicates that a query is worthwhile.
 */
@FunctionalInterface
public interface Confirmation {
  /** Queries the provider without side effects. After an exception the query is repeated later. */
  Answer ask(Webhook webhook) throws Exception;

  /** The provider's answer. */
  sealed interface Answer {
    /** The item is true, and {@code json} is the provider's own description of it. */
    record Confirmed(String json) implements Answer {
      /** Shows only the size. */
      @Override
      public String toString() {
        return "Confirmed[" + json.length() + " characters]";
      }
    }

    /** The provider cannot confirm or refute the item yet: query again after {@code delay}. */
    record NotYet(Duration delay) implements Answer {}

    /**
     * The item is not true. It is not processed, and its record is expired, because the item may
     * become true later.
     */
    record Refuted(String reason) implements Answer {}
  }
}
