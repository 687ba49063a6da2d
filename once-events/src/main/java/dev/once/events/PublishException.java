package dev.once.events;

import dev.once.OnceException;
import org.jspecify.annotations.Nullable;

/** The broker did not confirm that it stored all events: some of them may be stored. */
public final class PublishException extends OnceException {
  private static final long serialVersionUID = 1L;

  public PublishException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
