package dev.once.jobs;

import static java.nio.charset.StandardCharsets.UTF_8;

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

  /** Returns the same failure of an attempt that was interrupted because it took too long. */
  AttemptFailure afterDeadline() {
    return new AttemptFailure(
        clean("it was interrupted at its deadline: " + reason, MAX_REASON_CHARS), stack);
  }

  /** Reads what {@link #toBytes} wrote. */
  static AttemptFailure parse(byte[] bytes) {
    String text = new String(bytes, UTF_8);
    int end = text.indexOf('\0');
    return end < 0
        ? new AttemptFailure(text, Optional.empty())
        : new AttemptFailure(text.substring(0, end), Optional.of(text.substring(end + 1)));
  }

  /** Returns reason and stack, separated by NUL, which neither contains. */
  byte[] toBytes() {
    return (reason + stack.map(it -> '\0' + it).orElse("")).getBytes(UTF_8);
  }

  /** Shortens {@code text} and replaces NUL, which PostgreSQL does not accept in text. */
  private static String clean(String text, int maxChars) {
    String shortened = text.length() <= maxChars ? text : text.substring(0, maxChars) + "…";
    return shortened.replace('\0', '?');
  }
}
