package dev.once.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The actor and the reason of a change. */
final class ActionOptions {
  private static final int MAX_ACTOR_CHARS = 100;
  private static final int MAX_REASON_CHARS = 150;

  @Option(names = "--reason")
  private @Nullable String reason;

  @Option(names = "--actor")
  private @Nullable String actor;

  String reason() {
    return require("--reason", Variables.require("--reason", reason), MAX_REASON_CHARS);
  }

  String actor() {
    String given = actor == null ? System.getProperty("user.name", "") : actor;
    return require("--actor", given, MAX_ACTOR_CHARS);
  }

  /** Returns both, for audit trails that have one column for them. */
  String actorAndReason() {
    return actor() + " (" + reason() + ")";
  }

  /** Checks both before anything is changed. */
  void check() {
    String unused = actorAndReason();
  }

  private static String require(String option, String value, int maxChars) {
    if (value.isBlank() || value.length() > maxChars) {
      throw new Misuse(
          "%s must have 1 to %d characters, got %d".formatted(option, maxChars, value.length()));
    }
    return value;
  }

  /** Returns a line that says what was done. */
  String text(String action, String subject) {
    return "%s %s actor=%s reason=%s"
        .formatted(action, subject, Text.printable(actor()), Text.printable(reason()));
  }

  /** Returns the beginning of an object that says what was done. */
  JsonLine json(String action) {
    return new JsonLine().put("action", action).put("actor", actor()).put("reason", reason());
  }
}
