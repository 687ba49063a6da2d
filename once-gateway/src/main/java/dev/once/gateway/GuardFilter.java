package dev.once.gateway;

import dev.once.servlet.OnceFilter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;

/** Applies the guard that {@link Admission} has found, in all dispatches of a request. */
final class GuardFilter extends HttpFilter {
  private static final long serialVersionUID = 1L;

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    Optional<OnceFilter> guard = Target.find(request).flatMap(Target::guard);
    if (guard.isPresent()) {
      guard.get().doFilter(request, response, chain);
    } else {
      chain.doFilter(request, response); // A servlet of our own refuses what it must.
    }
  }
}
