package dev.once.opensearch;

import dev.once.OnceException;
import org.jspecify.annotations.Nullable;

/**
 * The server refused a request or did not answer. A document may have been written; to write it
 * again changes nothing.
 */
public final class SearchException extends OnceException {
  private static final long serialVersionUID = 1L;

  SearchException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
