package dev.once.spring;

import dev.once.http.HttpOnce;
import dev.once.http.Refusal;
import dev.once.http.RefusedException;
import dev.once.servlet.Answers;
import dev.once.servlet.CurrentExecution;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Refuses operations while most of them fail. It runs behind {@code OnceFilter}: replays never
 * reach it, so they are still answered. An operation that it refuses has just been granted its key,
 * which is then released.
 */
final class CircuitBreakerFilter extends OncePerRequestFilter {
  private final CircuitBreaker breaker;
  private final BreakerOpenTime open;
  private final HttpOnce http;

  CircuitBreakerFilter(CircuitBreaker breaker, HttpOnce http) {
    this.breaker = breaker;
    this.open = new BreakerOpenTime(breaker);
    this.http = http;
  }

  /** Passes reads, and writes without a key. */
  @Override
  protected boolean shouldNotFilter(HttpServletRequest request) {
    return CurrentExecution.execution(request).isEmpty();
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    if (!breaker.tryAcquirePermission()) {
      refuse(request, response);
      return;
    }
    BreakerCall call = new BreakerCall(breaker, response);
    try {
      chain.doFilter(request, response);
    } catch (ServletException | IOException | RuntimeException | Error e) {
      call.failed(e);
      throw e;
    }
    if (request.isAsyncStarted()) {
      request.getAsyncContext().addListener(call);
    } else {
      call.answered();
    }
  }

  private void refuse(HttpServletRequest request, HttpServletResponse response) throws IOException {
    CurrentExecution.refuse(request);
    RefusedException refused =
        new RefusedException(
            Refusal.CIRCUIT_OPEN, "nothing was executed: try again later with the same key");
    Answers.write(http.refuse(refused, open.left()), response);
  }
}
