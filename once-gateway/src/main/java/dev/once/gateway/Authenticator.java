package dev.once.gateway;

import dev.once.http.Caller;
import java.util.Optional;
import org.eclipse.jetty.server.Request;

/** Establishes who sends a request. */
interface Authenticator {
  /**
   * Returns the caller that the request proves; empty if it carries nothing that this one judges.
   *
   * @throws BadCredentialsException if what it carries proves nothing
   */
  Optional<Caller> caller(Request request) throws BadCredentialsException;
}
