package dev.once.spring;

import dev.once.servlet.CurrentExecution;
import dev.once.servlet.Transactions;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.ModelAndView;

/**
 * Flushes what an ORM has put off until the commit, while exception handlers can still answer: the
 * transaction of a route ends after them, one of a service would have ended in its handler.
 */
final class FlushInterceptor implements HandlerInterceptor {
  private static final String HEADERS = FlushInterceptor.class.getName();

  private final Supplier<Transactions> transactions;

  /** Looks up its dependency at the first request: mappings are created after interceptors. */
  FlushInterceptor(ObjectProvider<Transactions> transactions) {
    this.transactions = SingletonSupplier.of(transactions::getObject);
  }

  @Override
  public boolean preHandle(
      HttpServletRequest request, HttpServletResponse response, Object handler) {
    if (isDeferring() && CurrentExecution.execution(request).isPresent()) {
      Map<String, Collection<String>> headers = new LinkedHashMap<>();
      response
          .getHeaderNames()
          .forEach(name -> headers.put(name, new ArrayList<>(response.getHeaders(name))));
      request.setAttribute(HEADERS, headers);
    }
    return true;
  }

  @Override
  public void postHandle(
      HttpServletRequest request,
      HttpServletResponse response,
      Object handler,
      @Nullable ModelAndView view) {
    if (!isDeferring()) {
      return;
    }
    try {
      ((SpringTransactions) transactions.get()).flush();
    } catch (RuntimeException e) {
      discard(request, response);
      throw e;
    }
  }

  private boolean isDeferring() {
    return transactions.get() instanceof SpringTransactions it && it.isDeferring();
  }

  /** Discards the answer of a handler that has failed, as it turned out. */
  private static void discard(HttpServletRequest request, HttpServletResponse response) {
    if (!response.isCommitted() && request.getAttribute(HEADERS) instanceof Map<?, ?> headers) {
      response.reset();
      headers.forEach(
          (name, values) ->
              List.copyOf((Collection<?>) values)
                  .forEach(value -> response.addHeader((String) name, (String) value)));
    }
  }
}
