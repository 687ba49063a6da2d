package dev.once.servlet;

import dev.once.http.Caller;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;

/**
 * Says who sends a request, from what authentication found out. It must not believe a header that
 * the client can set.
 */
@FunctionalInterface
public interface CallerResolver {
  /** The authenticated caller; none if nobody is authenticated, which refuses the request. */
  Optional<Caller> caller(HttpServletRequest request);
}
