package dev.once.gateway;

import dev.once.http.Caller;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.eclipse.jetty.server.Request;

/** Establishes who sends a request, by what is configured. */
final class Identity {
  /** The caller of all requests of a gateway without authentication. */
  static final Caller LOCAL = new Caller("local", "anonymous");

  private final boolean isConfigured;
  private final List<Authenticator> authenticators = new ArrayList<>();
  private final Set<String> ownHeaders = new HashSet<>();

  Identity(AuthenticationSettings settings) {
    isConfigured = settings.isConfigured();
    settings.jwt().map(JwtTokens::new).ifPresent(authenticators::add);
    if (!settings.apiKeys().isEmpty()) {
      authenticators.add(new ApiKeys(settings.apiKeys()));
      ownHeaders.add(ApiKeys.HEADER.toLowerCase(Locale.ROOT));
    }
    settings
        .trusted()
        .ifPresent(
            it -> {
              authenticators.add(new TrustedHeaders(it));
              ownHeaders.add(it.tenant().toLowerCase(Locale.ROOT));
              ownHeaders.add(it.caller().toLowerCase(Locale.ROOT));
            });
  }

  /**
   * Returns who sends a request; empty if it does not prove that. What one authenticator refuses is
   * not tried by another.
   *
   * @throws KeysUnavailableException if that cannot be found out now
   */
  Optional<Caller> caller(Request request) {
    if (!isConfigured) {
      return Optional.of(LOCAL);
    }
    try {
      for (Authenticator authenticator : authenticators) {
        Optional<Caller> caller = authenticator.caller(request);
        if (caller.isPresent()) {
          return caller;
        }
      }
    } catch (BadCredentialsException e) {
      // The answer does not say why: that would help to guess.
    }
    return Optional.empty();
  }

  /** Returns the headers, in lower case, that are for the gateway and not for a service. */
  Set<String> ownHeaders() {
    return ownHeaders;
  }
}
