package dev.once.servlet;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

/**
 * A request that may become asynchronous: the exchange is notified when the handler completes, in
 * time to keep and send its answer.
 */
final class AsyncRequest extends RepeatedRequest {
  private final LeasedExchange exchange;
  private final DispatchTracker dispatches;
  private @Nullable AsyncContext context;

  AsyncRequest(
      HttpServletRequest request,
      RequestBody body,
      LeasedExchange exchange,
      DispatchTracker dispatches) {
    super(request, body, dispatches);
    this.exchange = exchange;
    this.dispatches = dispatches;
  }

  @Override
  public AsyncContext startAsync() {
    return startAsync(this, exchange.captured());
  }

  @Override
  public AsyncContext startAsync(ServletRequest request, ServletResponse response) {
    AsyncContext real = super.startAsync(request, response);
    dispatches.asyncStarted();
    real.addListener(new AsyncEndListener(exchange));
    context = new ExchangeAsync(real, exchange, dispatches);
    return context;
  }

  @Override
  public AsyncContext getAsyncContext() {
    return context == null ? super.getAsyncContext() : context;
  }
}
