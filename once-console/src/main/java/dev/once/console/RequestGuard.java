package dev.once.console;

import jakarta.servlet.http.HttpServletRequest;
import java.net.URI;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;

/**
 * Refuses calls that another site makes through a user's browser. An action needs a header that
 * HTML forms cannot send, and a type that they cannot have; a browser that says where a call comes
 * from must name this site.
 */
final class RequestGuard {
  static final String HEADER = "X-Once-Console";

  private static final Set<String> OWN_SITES = Set.of("same-origin", "none");

  private RequestGuard() {}

  static void check(HttpServletRequest request) {
    String site = request.getHeader("Sec-Fetch-Site");
    if (site != null && !OWN_SITES.contains(site)) {
      throw ApiException.forbidden("the call comes from another site");
    }
    String method = request.getMethod();
    if (method.equals("GET") || method.equals("HEAD")) {
      return;
    }
    if (!method.equals("POST")) {
      throw ApiException.notAllowed();
    }
    if (request.getHeader(HEADER) == null) {
      throw ApiException.forbidden("an action needs the header " + HEADER);
    }
    String type = Objects.requireNonNullElse(request.getContentType(), "");
    if (!type.toLowerCase(Locale.ROOT).split(";", 2)[0].strip().equals("application/json")) {
      throw ApiException.unsupported("an action is application/json");
    }
    String origin = request.getHeader("Origin");
    if (site == null && origin != null && !isOwn(origin, request)) {
      throw ApiException.forbidden("the call comes from another origin");
    }
  }

  /** For browsers that say no site. The scheme may be that of a proxy. */
  private static boolean isOwn(String origin, HttpServletRequest request) {
    try {
      String authority = URI.create(origin).getRawAuthority();
      return authority != null && authority.equalsIgnoreCase(request.getHeader("Host"));
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  static void requireMethod(HttpServletRequest request, String method) {
    String actual = request.getMethod().equals("HEAD") ? "GET" : request.getMethod();
    if (!actual.equals(method)) {
      throw ApiException.notAllowed();
    }
  }
}
