package dev.once.cli;

import org.jspecify.annotations.Nullable;

/** Something outside the command keeps it from working. The message is one line, with a way out. */
final class CommandException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  CommandException(String message) {
    this(message, null);
  }

  CommandException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /** Returns the first line of what a failure says. */
  static String reason(Throwable failure) {
    String message = String.valueOf(failure.getMessage());
    return failure.getMessage() == null
        ? failure.getClass().getSimpleName()
        : message.lines().findFirst().orElse("").strip();
  }
}
