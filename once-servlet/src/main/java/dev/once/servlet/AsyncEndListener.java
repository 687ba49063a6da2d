package dev.once.servlet;

import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;

/** Notifies the exchange when the container ends the request after a timeout or an error. */
record AsyncEndListener(LeasedExchange exchange) implements AsyncListener {
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
