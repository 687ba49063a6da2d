package dev.once.inbox;

import java.time.Duration;

/**
 * Asks the provider whether what somebody sent in its name is true. For providers that do not sign:
 * a delivery of theirs is a hint that it is worth asking, and no more.
 */
@FunctionalInterface
public interface Confirmation {
  /** Asks without causing anything. An exception means that it is asked again later. */
  Answer ask(Webhook webhook) throws Exception;

  /** What the provider says. */
  sealed interface Answer {
    /** It is true, and {@code json} is the provider's own word for it. */
    record Confirmed(String json) implements Answer {
      /** Shows the size alone. */
      @Override
      public String toString() {
        return "Confirmed[" + json.length() + " characters]";
      }
    }

    /** It cannot be told yet: ask again after a while. */
    record NotYet(Duration delay) implements Answer {}

    /** It is not true. The item is not processed, and forgotten: it may come true later. */
    record Refuted(String reason) implements Answer {}
  }
}
