package dev.once.steps;

import dev.once.json.CanonicalJson;
import java.util.List;

/** Defines which inputs of a step are the same. */
public final class Inputs {
  /**
   * The names of members that say when something was sent or tried, which changes with every retry.
   * They are left out only where the value is a time. Names that may be part of what was asked,
   * such as {@code timestamp}, {@code createdAt} or {@code startedAt}, are not included: two
   * bookings that differ in nothing else are two.
   */
  public static final List<String> VOLATILE =
      List.of(
          "sentAt",
          "sent_at",
          "resentAt",
          "resent_at",
          "enqueuedAt",
          "enqueued_at",
          "attemptedAt",
          "attempted_at",
          "triedAt",
          "tried_at",
          "retriedAt",
          "retried_at");

  private static final CanonicalJson RULE = rule();

  private Inputs() {}

  /**
   * Returns canonical JSON without {@link #VOLATILE} members that are times, at any depth. {@link
   * StepView#omitted} shows that a step was compared by it.
   */
  public static CanonicalJson withoutVolatileTimes() {
    return RULE;
  }

  private static CanonicalJson rule() {
    CanonicalJson rule = CanonicalJson.standard();
    for (String name : VOLATILE) {
      rule = rule.withoutTimesNamed(name);
    }
    return rule;
  }
}
