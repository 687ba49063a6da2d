package dev.once.servlet;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

/**
 * A request whose handler may go asynchronous: the exchange hears of it when the handler is done,
 * in time to keep and send its answer.
 */
final class AsyncRequest extends RepeatedRequest {
  private final LeasedExchange exchange;
  private final Turns turns;
  private @Nullable AsyncContext context;

  AsyncRequest(HttpServletRequest request, RequestBody body, LeasedExchange exchange, Turns turns) {
    super(request, body, turns);
    this.exchange = exchange;
    this.turns = turns;
  }

  @Override
  public AsyncContext startAsync() {
    return startAsync(this, exchange.captured());
  }

  @Override
  public AsyncContext startAsync(ServletRequest request, ServletResponse response) {
    AsyncContext real = super.startAsync(request, response);
    turns.asyncStarted();
    real.addListener(new EndOfAsync(exchange));
    context = new ExchangeAsync(real, exchange, turns);
    return context;
  }

  @Override
  public AsyncContext getAsyncContext() {
    return context == null ? super.getAsyncContext() : context;
  }
}
