package dev.once.http;

import java.util.Locale;
import java.util.Set;

/**
 * Which requests a contract covers.
 *
 * @param methods the methods on which a key has an effect; on all others it is ignored
 * @param everyRoute whether every route is covered; if not, only chosen routes are
 * @param required whether a covered request without a key is refused; if not, it is executed as it
 *     would be without Once
 */
public record Coverage(Set<String> methods, boolean everyRoute, boolean required) {
  static final Set<String> WRITES = Set.of("POST", "PUT", "PATCH", "DELETE");

  public Coverage {
    methods = Set.copyOf(methods);
    for (String method : methods) {
      if (!method.equals(method.toUpperCase(Locale.ROOT))) { // It would never match a request.
        throw new IllegalArgumentException("method must be in upper case, got " + method);
      }
    }
    for (String safe : Set.of("GET", "HEAD", "OPTIONS", "TRACE")) {
      if (methods.contains(safe)) {
        throw new IllegalArgumentException(
            safe + " changes nothing and never touches the store: take it out of the methods");
      }
    }
  }

  /** Covers every write on every route. */
  static Coverage everyWrite(boolean required) {
    return new Coverage(WRITES, true, required);
  }

  /** Covers every write on the chosen routes. */
  static Coverage chosenRoutes() {
    return new Coverage(WRITES, false, true);
  }

  boolean covers(String method, Route route) {
    return methods.contains(method) && (everyRoute || route.chosen());
  }
}
