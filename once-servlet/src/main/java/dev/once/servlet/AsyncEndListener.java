package dev.once.servlet;

import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;

/** Notifies the exchange when the container no longer waits for its handler, and of the end. */
record AsyncEndListener(LeasedExchange exchange) implements AsyncListener {
  @Override
  public void onComplete(AsyncEvent event) {
    exchange.endedByContainer();
  }

  @Override
  public void onTimeout(AsyncEvent event) {
    exchange.notAwaited();
  }

  @Override
  public void onError(AsyncEvent event) {
    exchange.notAwaited();
  }

  @Override
  public void onStartAsync(AsyncEvent event) {
    event.getAsyncContext().addListener(this);
  }
}
