package dev.once.spring;

import dev.once.http.Caller;
import dev.once.servlet.CallerResolver;
import jakarta.servlet.http.HttpServletRequest;
import java.security.Principal;
import java.util.Optional;

/**
 * The callers of an application with one tenant, by the names of their principals.
 *
 * @param allowAnonymous whether all unauthenticated requests have one caller
 */
record PrincipalCallers(String tenant, boolean allowAnonymous) implements CallerResolver {
  private static final String ANONYMOUS = "anonymous";

  PrincipalCallers {
    new Caller(tenant, ANONYMOUS); // Refuses an invalid tenant at start.
  }

  @Override
  public Optional<Caller> caller(HttpServletRequest request) {
    Principal principal = request.getUserPrincipal();
    if (principal != null) {
      return Optional.of(new Caller(tenant, principal.getName()));
    }
    return allowAnonymous ? Optional.of(new Caller(tenant, ANONYMOUS)) : Optional.empty();
  }
}
