package dev.once.http;

import java.util.Locale;
import java.util.Set;

/**
 * Which requests a contract covers. Immutable; {@code
 * Coverage.everyWrite(true).withMethods(Set.of("POST"))}.
 */
public final class Coverage {
  static final Set<String> WRITES = Set.of("POST", "PUT", "PATCH", "DELETE");

  private final Set<String> methods;
  private final boolean everyRoute;
  private final boolean required;

  private Coverage(Set<String> methods, boolean everyRoute, boolean required) {
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
    this.methods = Set.copyOf(methods);
    this.everyRoute = everyRoute;
    this.required = required;
  }

  /** Covers every write on every route, with a key that is required or optional. */
  public static Coverage everyWrite(boolean required) {
    return new Coverage(WRITES, true, required);
  }

  /** Covers every write on the chosen routes, with a key that is required or optional. */
  public static Coverage chosenRoutes(boolean required) {
    return new Coverage(WRITES, false, required);
  }

  /** Returns the methods on which a key has an effect; on all others it is ignored. */
  public Set<String> methods() {
    return methods;
  }

  /** Returns whether every route is covered; if not, only chosen routes are. */
  public boolean everyRoute() {
    return everyRoute;
  }

  /**
   * Returns whether a covered request without a key is refused; if not, it is executed as it would
   * be without Once.
   */
  public boolean required() {
    return required;
  }

  public Coverage withMethods(Set<String> methods) {
    return new Coverage(methods, everyRoute, required);
  }

  boolean covers(String method, Route route) {
    return methods.contains(method) && (everyRoute || route.chosen());
  }
}
