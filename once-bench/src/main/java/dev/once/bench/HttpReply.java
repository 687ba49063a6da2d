package dev.once.bench;

import java.util.Map;
import java.util.Optional;

/**
 * A response, read to its end.
 *
 * @param headers by name, in lower case
 */
record HttpReply(int status, Map<String, String> headers, String body) {
  /** Returns the value of a header, by its name in lower case. */
  Optional<String> header(String name) {
    return Optional.ofNullable(headers.get(name));
  }

  HttpReply require(int wanted) {
    if (status != wanted) {
      throw new IllegalStateException(
          "the service must answer %d, got %d: %s".formatted(wanted, status, body));
    }
    return this;
  }
}
