package dev.once.servlet;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
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
  private @Nullable AsyncContext context;

  AsyncRequest(HttpServletRequest request, RequestBody body, LeasedExchange exchange) {
    super(request, body);
    this.exchange = exchange;
  }

  @Override
  public AsyncContext startAsync() {
    return startAsync(this, exchange.captured());
  }

  @Override
  public AsyncContext startAsync(ServletRequest request, ServletResponse response) {
    AsyncContext real = super.startAsync(request, response);
    exchange.asyncStarted();
    real.addListener(new EndOfAsync(exchange));
    context = new ExchangeAsync(real, exchange);
    return context;
  }

  @Override
  public AsyncContext getAsyncContext() {
    return context == null ? super.getAsyncContext() : context;
  }

  /** Notices that the container ended the request without us: after a timeout or an error. */
  private record EndOfAsync(LeasedExchange exchange) implements AsyncListener {
    @Override
    public void onComplete(AsyncEvent event) {
      exchange.endedByContainer();
    }

    @Override
    public void onTimeout(AsyncEvent event) {}

    @Override
    public void onError(AsyncEvent event) {}

    @Override
    public void onStartAsync(AsyncEvent event) {
      event.getAsyncContext().addListener(this);
    }
  }
}
