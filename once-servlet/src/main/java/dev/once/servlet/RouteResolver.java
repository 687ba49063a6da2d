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

  /**
   * Looks routes up in a table, by the path that the container looks up its servlets by: inside the
   * application, decoded, and without parameters.
   */
  static RouteResolver of(Routes routes) {
    return request -> routes.match(request.getMethod(), path(request));
  }

  private static String path(HttpServletRequest request) {
    String rest = request.getPathInfo();
    return rest == null ? request.getServletPath() : request.getServletPath() + rest;
  }
}
