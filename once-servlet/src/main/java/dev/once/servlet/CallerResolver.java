package dev.once.servlet;

import dev.once.http.Caller;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;

/**
 * Returns the sender of a request as authentication established it. It must not trust a header that
 * the client can set.
 */
@FunctionalInterface
public interface CallerResolver {
  /** Returns the authenticated caller; if there is none, the request is refused. */
  Optional<Caller> caller(HttpServletRequest request);
}
