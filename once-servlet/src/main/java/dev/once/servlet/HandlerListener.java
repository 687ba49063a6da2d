package dev.once.servlet;

import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import java.io.IOException;

/** Wraps a listener of the handler, so that its events carry the exchange's context. */
record HandlerListener(AsyncListener listener, LeasedExchange exchange, DispatchTracker dispatches)
    implements AsyncListener {
  @Override
  public void onComplete(AsyncEvent event) throws IOException {
    listener.onComplete(ours(event));
  }

  @Override
  public void onTimeout(AsyncEvent event) throws IOException {
    listener.onTimeout(ours(event));
  }

  @Override
  public void onError(AsyncEvent event) throws IOException {
    listener.onError(ours(event));
  }

  @Override
  public void onStartAsync(AsyncEvent event) throws IOException {
    listener.onStartAsync(ours(event));
  }

  private AsyncEvent ours(AsyncEvent event) {
    return new AsyncEvent(
        new ExchangeAsync(event.getAsyncContext(), exchange, dispatches),
        event.getSuppliedRequest(),
        event.getSuppliedResponse(),
        event.getThrowable());
  }
}
