package dev.once.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Base64;
import java.util.Optional;

/**
 * Identifies in a link what an operation shares with others: its method, its route, and how its
 * scope is built. The caller that follows the link sends its key in the header: a link is logged by
 * proxies and must not contain it. A caller can only see its own operations.
 */
record OperationId(String method, String route, ScopeRule scope) {
  private static final int MAX_CHARS = 2048;

  static String of(String method, String route, ScopeRule scope) {
    String text = method + "\n" + route + "\n" + scope;
    return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(UTF_8));
  }

  static Optional<OperationId> parse(String id) {
    if (id.length() > MAX_CHARS) {
      return Optional.empty();
    }
    try {
      String[] parts = new String(Base64.getUrlDecoder().decode(id), UTF_8).split("\n", 3);
      if (parts.length < 3 || !isMethod(parts[0]) || Route.namesCaller(parts[1])) {
        return Optional.empty();
      }
      return Optional.of(new OperationId(parts[0], parts[1], ScopeRule.valueOf(parts[2])))
          .filter(it -> it.scope.namesCaller()); // A forged one could name another's scope.
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** Rejects a colon: a forged id could otherwise contain part of another caller's scope. */
  private static boolean isMethod(String text) {
    return text.indexOf(':') < 0;
  }
}
