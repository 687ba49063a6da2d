package dev.once.spring;

import dev.once.http.Caller;
import dev.once.http.HttpOnce;
import dev.once.http.Refusal;
import dev.once.http.RefusedException;
import dev.once.servlet.Answers;
import dev.once.servlet.CallerResolver;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Refuses the writes of callers that send too many, before anything is looked up or stored. A
 * request without a caller has no allowance and passes to the next filter.
 */
final class RateLimitFilter extends OncePerRequestFilter {
  private static final Set<String> WRITES = Set.of("POST", "PUT", "PATCH", "DELETE");

  private final RateLimits limits;
  private final CallerResolver callers;
  private final HttpOnce http;

  RateLimitFilter(RateLimits limits, CallerResolver callers, HttpOnce http) {
    this.limits = limits;
    this.callers = callers;
    this.http = http;
  }

  @Override
  protected boolean shouldNotFilter(HttpServletRequest request) {
    return !WRITES.contains(request.getMethod());
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    Optional<Caller> caller = callers.caller(request);
    Duration wait = caller.map(limits::take).orElse(Duration.ZERO);
    if (wait.isZero()) {
      chain.doFilter(request, response);
      return;
    }
    RefusedException refused =
        new RefusedException(
            Refusal.RATE_LIMITED, "nothing was executed: send the same request again, but later");
    Answers.write(http.refuse(refused, wait), response);
  }
}
