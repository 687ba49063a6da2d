package dev.once.servlet;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import java.io.IOException;

/** Stores and sends the answer before it completes the request in the container. */
final class ExchangeAsync implements AsyncContext {
  private final AsyncContext real;
  private final LeasedExchange exchange;
  private final DispatchTracker dispatches;

  ExchangeAsync(AsyncContext real, LeasedExchange exchange, DispatchTracker dispatches) {
    this.real = real;
    this.exchange = exchange;
    this.dispatches = dispatches;
  }

  @Override
  public void complete() {
    CapturedResponse answer = exchange.captured();
    switch (dispatches.complete(real)) {
      case IN_DISPATCH -> {}
      case NOW -> complete(answer);
      case TOO_LATE -> exchange.finishLate();
    }
  }

  private void complete(CapturedResponse answer) {
    try {
      finish(answer);
    } catch (IOException | IllegalStateException e) {
      // The client has disconnected, or the container has just timed out. The outcome is stored,
      // and a retry gets it.
      completeUnlessComplete();
      return;
    }
    real.complete();
  }

  private void finish(CapturedResponse answer) throws IOException {
    try {
      exchange.finish(answer);
    } finally {
      dispatches.finished();
    }
  }

  /** Completes the request, unless the container has also seen the disconnect and ended it. */
  private void completeUnlessComplete() {
    try {
      real.complete();
    } catch (IllegalStateException e) {
      // The container has ended it.
    }
  }

  @Override
  public ServletRequest getRequest() {
    return real.getRequest();
  }

  @Override
  public ServletResponse getResponse() {
    try {
      return real.getResponse();
    } catch (IllegalStateException e) { // The container did not wait for the handler.
      return exchange.detachedResponse();
    }
  }

  @Override
  public boolean hasOriginalRequestAndResponse() {
    return false;
  }

  @Override
  public void dispatch() {
    real.dispatch();
  }

  @Override
  public void dispatch(String path) {
    real.dispatch(path);
  }

  @Override
  public void dispatch(ServletContext context, String path) {
    real.dispatch(context, path);
  }

  @Override
  public void start(Runnable run) {
    real.start(run);
  }

  @Override
  public void addListener(AsyncListener listener) {
    real.addListener(new HandlerListener(listener, exchange, dispatches));
  }

  @Override
  public void addListener(
      AsyncListener listener, ServletRequest request, ServletResponse response) {
    real.addListener(new HandlerListener(listener, exchange, dispatches), request, response);
  }

  @Override
  public <T extends AsyncListener> T createListener(Class<T> type) throws ServletException {
    return real.createListener(type);
  }

  @Override
  public void setTimeout(long timeout) {
    real.setTimeout(timeout);
  }

  @Override
  public long getTimeout() {
    return real.getTimeout();
  }
}
