package dev.once.examples.planning;

import dev.once.http.Caller;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Objects;
import java.util.Optional;
import org.springframework.security.core.Authentication;
import org.springframework.security.oauth2.core.OAuth2AuthenticatedPrincipal;

/** Reads tenant and caller from the bearer token's principal, their only source. */
final class Principals {
  private Principals() {}

  static Optional<Caller> caller(HttpServletRequest request) {
    return request.getUserPrincipal() instanceof Authentication authentication
            && authentication.getPrincipal() instanceof OAuth2AuthenticatedPrincipal principal
        ? Optional.of(new Caller(tenant(principal), principal.getName()))
        : Optional.empty();
  }

  private static String tenant(OAuth2AuthenticatedPrincipal principal) {
    return Objects.requireNonNull(principal.getAttribute(ApiTokens.TENANT));
  }
}
