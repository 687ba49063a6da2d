package dev.once.servlet;

import dev.once.Begun;
import dev.once.Headers;
import dev.once.OnceException;
import dev.once.Payload;
import dev.once.Recovery;
import dev.once.http.Contract;
import dev.once.http.HttpAnswer;
import dev.once.http.HttpOperation;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.ServletResponseWrapper;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * One operation under a lease, from its grant to its answer. It ends where the handler ends: when
 * the chain returns, when an asynchronous handler completes or is dispatched again, or when the
 * container has made the error page that the handler asked for. Whoever gets there first ends it.
 */
final class LeasedExchange implements Pending {
  private static final int SERVER_ERROR = 500;

  private final Contract contract;
  private final HttpOperation operation;
  private final Begun.Running<HttpAnswer> running;
  private final HttpServletRequest original;
  private final AsyncRequest request;
  private final AtomicBoolean ended = new AtomicBoolean();
  private final ExchangeListener listener;
  private volatile Delivery delivery;
  private volatile CapturedResponse captured;
  private volatile boolean asyncStarted;

  LeasedExchange(
      Contract contract,
      HttpOperation operation,
      Begun.Running<HttpAnswer> running,
      HttpServletRequest original,
      RequestBody body,
      HttpServletResponse response,
      ExchangeListener listener) {
    this.contract = contract;
    this.operation = operation;
    this.running = running;
    this.original = original;
    this.listener = listener;
    this.request = new AsyncRequest(original, body, this);
    this.delivery = new Delivery(response, listener);
    this.captured = capture(response);
  }

  void start(FilterChain chain) throws IOException, ServletException {
    original.setAttribute(ATTRIBUTE, this);
    Executing.begin(original, running);
    dispatch(request, captured, chain);
  }

  @Override
  public void resume(HttpServletRequest next, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    if (next.getDispatcherType() == DispatcherType.ERROR) {
      captured = capture(response);
      dispatch(next, captured, chain);
    } else if (isOurs(response)) {
      dispatch(next, response, chain);
    } else {
      dispatch(request, captured, chain);
    }
  }

  CapturedResponse captured() {
    return captured;
  }

  void asyncStarted() {
    asyncStarted = true;
  }

  /** Keeps the answer and sends it, unless that was done before. */
  void finish() throws IOException {
    boolean first = ended.compareAndSet(false, true);
    original.removeAttribute(ATTRIBUTE);
    if (captured.isStreaming()) {
      captured.sendThrough();
      if (first) {
        giveBack(new NotKept(captured.getStatus()));
      }
    } else if (first) {
      end();
    }
  }

  /** The container is done with a request of which we do not know how it ended. */
  void endedByContainer() {
    if (ended.compareAndSet(false, true)) {
      running.abandon(
          new IllegalStateException("the container ended the request before its handler answered"));
    }
  }

  private void dispatch(ServletRequest next, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    asyncStarted = false;
    try {
      running.<Boolean, Exception>interruptibly(
          execution -> {
            chain.doFilter(next, response);
            return true;
          });
    } catch (IOException | ServletException | RuntimeException | Error failure) {
      failed(failure, next);
      throw failure;
    } catch (Exception e) {
      throw new AssertionError("a filter chain throws nothing else", e);
    }
    if (asyncStarted || original.isAsyncStarted()) {
      return;
    }
    if (captured.errorStatus() == 0) {
      finish();
    } else {
      passError(captured.errorStatus());
    }
  }

  private void end() throws IOException {
    HttpAnswer answer = captured.answer(contract.keptHeaders());
    if (keeps(answer.status())) {
      try {
        running.complete(answer);
      } catch (OnceException e) {
        delivery.sendInstead(operation, operation.answer(e));
        return;
      }
    } else {
      giveBack(new NotKept(answer.status()));
    }
    delivery.send(operation, answer, captured);
  }

  /**
   * The container makes the page for an error and dispatches it through us. Should it have none, we
   * are not called again: so the lease is left to run out.
   */
  private void passError(int status) throws IOException {
    if (keeps(status)) {
      running.stopHeartbeat();
    } else if (ended.compareAndSet(false, true)) {
      original.removeAttribute(ATTRIBUTE);
      giveBack(new NotKept(status));
      listener.answered(
          operation, operation.executed(new HttpAnswer(status, Headers.NONE, Payload.NONE)));
    }
    captured.sendErrorThrough();
  }

  private void failed(Throwable failure, ServletRequest at) {
    boolean hasErrorPage = at.getDispatcherType() != DispatcherType.ERROR;
    if (hasErrorPage && keeps(SERVER_ERROR)) {
      running.stopHeartbeat();
    } else if (ended.compareAndSet(false, true)) {
      original.removeAttribute(ATTRIBUTE);
      giveBack(failure);
    }
  }

  /**
   * An answer that outgrew its limit is not kept, but that the operation happened is: that much is
   * safe in the store before the client gets a first byte.
   */
  private ServletOutputStream stream(long size) throws IOException {
    HttpServletResponse real = delivery.response();
    int status = captured.getStatus();
    if (keeps(status) && ended.compareAndSet(false, true)) {
      HttpAnswer answer =
          new HttpAnswer(
              status, Headers.NONE, new Payload.Dropped(Math.max(size, captured.declaredLength())));
      try {
        running.complete(answer);
      } catch (OnceException e) {
        delivery.sendInstead(operation, operation.answer(e));
        throw new IOException("the outcome could not be recorded", e);
      }
      listener.answered(operation, operation.executed(answer));
    }
    if (captured.declaredLength() >= 0) {
      real.setContentLengthLong(captured.declaredLength());
    }
    return real.getOutputStream();
  }

  private boolean keeps(int status) {
    return operation.keeps(status) && !Executing.isRefused(original);
  }

  private void giveBack(Throwable cause) {
    boolean rerun = operation.request().terms().recovery() == Recovery.RERUN;
    if (rerun || Executing.isRefused(original)) {
      running.release(cause);
    } else {
      running.abandon(cause);
    }
  }

  private CapturedResponse capture(HttpServletResponse response) {
    return new CapturedResponse(
        response, operation.request().terms().maxPayloadBytes(), this::stream);
  }

  private boolean isOurs(ServletResponse response) {
    return response == captured
        || (response instanceof ServletResponseWrapper it && it.isWrapperFor(captured));
  }
}
