package dev.once.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Base64;
import java.util.Optional;

/**
 * Names an operation in a link: its method, route and key, but not its caller. Whoever follows the
 * link is looked up as the caller, so nobody can ask about another one's operations.
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

  /** Whoever wrote the id may have put a piece of another's scope here. */
  private static boolean isMethod(String text) {
    return text.indexOf(':') < 0;
  }
}
