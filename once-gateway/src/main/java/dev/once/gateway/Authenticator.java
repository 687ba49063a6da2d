package dev.once.gateway;

import dev.once.http.Caller;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;

/** Establishes who sends a request. */
interface Authenticator {
  /**
   * Returns the caller that the request proves; empty if it carries nothing that this one judges.
   *
   * @throws BadCredentialsException if what it carries proves nothing
   */
  Optional<Caller> caller(HttpServletRequest request) throws BadCredentialsException;
}
