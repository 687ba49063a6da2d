package dev.once.jobs;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Optional;

/** Why an attempt failed, as stored with the job. */
record AttemptFailure(String reason, Optional<String> stack) {
  private static final int MAX_REASON_CHARS = 1000;
  private static final int MAX_STACK_CHARS = 16_000;

  static AttemptFailure of(String reason) {
    return new AttemptFailure(clean(reason, MAX_REASON_CHARS), Optional.empty());
  }

  static AttemptFailure of(Throwable thrown) {
    StringWriter stack = new StringWriter();
    thrown.printStackTrace(new PrintWriter(stack, true));
    return new AttemptFailure(
        clean(thrown.toString(), MAX_REASON_CHARS),
        Optional.of(clean(stack.toString(), MAX_STACK_CHARS)));
  }

  /** Shortens {@code text} and replaces NUL, which PostgreSQL does not accept in text. */
  private static String clean(String text, int maxChars) {
    String shortened = text.length() <= maxChars ? text : text.substring(0, maxChars) + "…";
    return shortened.replace('\0', '?');
  }
}
