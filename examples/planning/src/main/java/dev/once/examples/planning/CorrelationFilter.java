package dev.once.examples.planning;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.slf4j.MDC;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Sets the {@link Correlation} of every request, in the answer's headers and in the log context.
 *
 * <p>It is the first filter, so that the log entries of a refused request have the ids too.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE)
class CorrelationFilter extends OncePerRequestFilter {
  static final String ATTRIBUTE = Correlation.class.getName();

  private static final String REQUEST_ID = "request_id";
  private static final String CORRELATION_ID = "correlation_id";

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    Correlation correlation =
        Correlation.of(
            request.getHeader(Correlation.REQUEST_HEADER),
            request.getHeader(Correlation.CORRELATION_HEADER));
    request.setAttribute(ATTRIBUTE, correlation);
    response.setHeader(Correlation.REQUEST_HEADER, correlation.requestId());
    response.setHeader(Correlation.CORRELATION_HEADER, correlation.correlationId());
    MDC.put(REQUEST_ID, correlation.requestId());
    MDC.put(CORRELATION_ID, correlation.correlationId());
    try {
      chain.doFilter(request, response);
    } finally {
      MDC.remove(REQUEST_ID);
      MDC.remove(CORRELATION_ID);
    }
  }
}
