package dev.once.servlet;

import dev.once.http.Route;
import dev.once.http.Routes;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;

/** Says which operation of the API a request is. */
@FunctionalInterface
public interface RouteResolver {
  /** The route; none lets the request through untouched. */
  Optional<Route> route(HttpServletRequest request);

  /** Looks routes up in a table. */
  static RouteResolver of(Routes routes) {
    return request ->
        routes.match(
            request.getMethod(),
            request.getRequestURI().substring(request.getContextPath().length()));
  }
}
