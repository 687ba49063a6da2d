package dev.once.steps;

import dev.once.json.CanonicalJson;
import java.util.List;

/** Defines which inputs of a step are the same. */
public final class Inputs {
  /**
   * Members that say when something was recorded or sent, in several spellings, and that change
   * with every retry. Names that may be part of the input itself, such as {@code date}, {@code
   * dueAt} or {@code time}, are not included.
   */
  public static final List<String> VOLATILE =
      List.of(
          "timestamp",
          "ts",
          "now",
          "createdAt",
          "created_at",
          "updatedAt",
          "updated_at",
          "requestedAt",
          "requested_at",
          "receivedAt",
          "received_at",
          "sentAt",
          "sent_at",
          "enqueuedAt",
          "enqueued_at",
          "startedAt",
          "started_at",
          "attemptedAt",
          "attempted_at");

  private static final CanonicalJson RULE = rule();

  private Inputs() {}

  /** Returns canonical JSON without {@link #VOLATILE} members, at any depth. */
  public static CanonicalJson withoutVolatileTimes() {
    return RULE;
  }

  private static CanonicalJson rule() {
    CanonicalJson rule = CanonicalJson.standard();
    for (String name : VOLATILE) {
      rule = rule.withoutNamed(name);
    }
    return rule;
  }
}
