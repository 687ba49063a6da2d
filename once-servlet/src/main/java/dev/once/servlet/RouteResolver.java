package dev.once.servlet;

import dev.once.http.Route;
import dev.once.http.Routes;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;

/** Determines the route of a request. */
@FunctionalInterface
public interface RouteResolver {
  /** Returns the route; if there is none, the request passes unchanged. */
  Optional<Route> route(HttpServletRequest request);

  /**
   * Looks routes up in a table, by the same path by which the container finds its servlets:
   * relative to the application, decoded, and without path parameters.
   */
  static RouteResolver of(Routes routes) {
    return request -> routes.match(request.getMethod(), path(request));
  }

  private static String path(HttpServletRequest request) {
    String rest = request.getPathInfo();
    return rest == null ? request.getServletPath() : request.getServletPath() + rest;
  }
}
