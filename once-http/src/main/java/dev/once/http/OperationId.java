package dev.once.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Base64;
import java.util.Optional;

/**
 * Identifies an operation in a link by its method, route and key, but not its caller. The lookup
 * uses the caller that follows the link, so a caller can only see its own operations.
 */
record OperationId(String method, String route, String key) {
  private static final int MAX_CHARS = 2048;

  static String of(String method, String route, String key) {
    String text = method + "\n" + route + "\n" + key;
    return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(UTF_8));
  }

  static Optional<OperationId> parse(String id) {
    if (id.length() > MAX_CHARS) {
      return Optional.empty();
    }
    try {
      String[] parts = new String(Base64.getUrlDecoder().decode(id), UTF_8).split("\n", 3);
      return parts.length == 3 && isMethod(parts[0]) && !Route.namesCaller(parts[1])
          ? Optional.of(new OperationId(parts[0], parts[1], parts[2]))
          : Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** Rejects a colon: a forged id could otherwise contain part of another caller's scope. */
  private static boolean isMethod(String text) {
    return text.indexOf(':') < 0;
  }
}
