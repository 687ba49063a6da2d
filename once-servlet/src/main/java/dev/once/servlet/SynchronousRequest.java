package dev.once.servlet;

import dev.once.http.Route;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;

/** A request in a transaction, which is bound to this thread and ends before the answer is sent. */
final class SynchronousRequest extends RepeatedRequest {
  private final Route route;
  private boolean asyncRefused;

  SynchronousRequest(HttpServletRequest request, RequestBody body, Route route) {
    super(request, body, TransactionalExchange.NEVER_LATER);
    this.route = route;
  }

  @Override
  public boolean isAsyncSupported() {
    return false;
  }

  /** Returns whether the handler has tried to go asynchronous. */
  boolean isAsyncRefused() {
    return asyncRefused;
  }

  @Override
  public AsyncContext startAsync() {
    asyncRefused = true;
    throw new IllegalStateException(
        route.template()
            + " is executed in a transaction and cannot go asynchronous: run the route leased");
  }

  @Override
  public AsyncContext startAsync(ServletRequest request, ServletResponse response) {
    return startAsync();
  }
}
