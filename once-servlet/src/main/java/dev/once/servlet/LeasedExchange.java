package dev.once.servlet;

import dev.once.BeginResult;
import dev.once.Headers;
import dev.once.OnceException;
import dev.once.Payload;
import dev.once.http.HttpAnswer;
import dev.once.http.HttpOperation;
import dev.once.http.RefusedException;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.ServletResponseWrapper;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One operation under a lease, from its grant to its answer. It ends when the chain returns, when
 * an asynchronous handler completes or is dispatched again, or when the container has rendered the
 * error page for the handler's {@code sendError}, whichever is first.
 */
final class LeasedExchange implements SuspendedExchange {
  private static final int SERVER_ERROR = 500;
  private static final int NOT_ACCEPTABLE = 406;

  private final CoveredRequest coveredRequest;
  private final HttpOperation operation;
  private final ExchangeGrant grant;
  private final AsyncRequest request;
  private final DispatchTracker dispatches = new DispatchTracker();
  private volatile ResponseSender sender;
  private volatile CapturedResponse captured;

  /** The response of a handler that the container no longer waits for. */
  private volatile @Nullable CapturedResponse left;

  /** The first answer that was sent, but not kept, while the handler may still be running. */
  private final AtomicReference<@Nullable CapturedResponse> sentMeanwhile = new AtomicReference<>();

  private volatile boolean onErrorPage;

  LeasedExchange(CoveredRequest coveredRequest, BeginResult.Running<HttpAnswer> running) {
    this.coveredRequest = coveredRequest;
    this.operation = coveredRequest.operation();
    this.grant = new ExchangeGrant(running, coveredRequest);
    this.request =
        new AsyncRequest(coveredRequest.request(), coveredRequest.body(), this, dispatches);
    this.sender = coveredRequest.sender();
    this.captured = capture();
  }

  void start(FilterChain chain) throws IOException, ServletException {
    coveredRequest.keepPending(this);
    CurrentExecution.begin(coveredRequest.request(), grant.running());
    dispatch(request, captured, chain);
  }

  @Override
  public void resume(HttpServletRequest next, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    if (next.getDispatcherType() != DispatcherType.ERROR) {
      boolean ours = isOurs(response);
      dispatch(ours ? next : request, ours ? response : captured, chain);
    } else if (grant.isOver() || dispatches.isFinishing()) {
      chain.doFilter(next, response);
    } else {
      detachHandler();
      captured.detach();
      if (sentMeanwhile.get() != null) { // The page belongs to an error that is not kept.
        chain.doFilter(next, response);
        return;
      }
      onErrorPage = true;
      sender = sender.to(response);
      captured = capture();
      dispatch(next, captured, chain);
    }
  }

  CapturedResponse captured() {
    return captured;
  }

  /** Returns the response that a handler writes to after the container went on without it. */
  CapturedResponse detachedResponse() {
    CapturedResponse response = left;
    return response == null ? captured : response;
  }

  /** Stores and sends the answer, unless that has been done before. */
  void finish(CapturedResponse answer) throws IOException {
    answer.finishWriting(); // First, since this may exceed the limit.
    if (answer.errorStatus() != 0) {
      passError(answer);
    } else if (answer.isStreaming()) {
      finishStreaming(answer);
    } else if (!keeps(answer.getStatus())) {
      if (endUnkept(answer, new ResponseNotKeptException(answer.getStatus()))) {
        sender.send(operation, coveredRequest.answer(answer), answer);
      }
    } else if (grant.end()) {
      coveredRequest.endPending();
      keep(answer);
    }
  }

  /**
   * Ends the exchange after the container has ended the request. The headers are lost and nothing
   * can be sent, but the effect must not be repeated.
   */
  void finishLate() {
    CapturedResponse answer = detachedResponse();
    answer.finishWriting();
    if (answer == sentMeanwhile.get() && !coveredRequest.keeps(answer.getStatus())) {
      return; // The status is that of the answer to the timeout; the handler's own is unknown.
    }
    grant.endLate(answer);
  }

  /**
   * Notes that the container stopped waiting for a handler, after a timeout or an error. A listener
   * or a dispatch may still answer, but that answer does not say what the handler does.
   */
  void notAwaited() {
    dispatches.notAwaited();
  }

  /** Handles a request that the container has ended while its outcome is unknown here. */
  void endedByContainer() {
    if (grant.isOver() || dispatches.isFinishing()) {
      return;
    }
    if (detachHandler()) {
      grant.leave();
    } else {
      grant.abandon(
          new IllegalStateException("the container ended the request before its handler answered"));
    }
  }

  /** Continues without a handler that may still be running; its answer may arrive late. */
  private boolean detachHandler() {
    if (!dispatches.giveUp()) {
      return false;
    }
    if (left == null) {
      left = captured;
      captured.detach();
    }
    return true;
  }

  private void dispatch(ServletRequest next, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    CapturedResponse answer = captured;
    boolean goesOn;
    dispatches.begin();
    try {
      handle(next, response, chain);
    } catch (RefusedException refused) {
      if (dispatches.mayBeRunning() || answer.isStreaming()) {
        failed(refused);
        throw refused;
      }
      sender.replace(answer, coveredRequest.http().refuse(refused));
    } catch (IOException | ServletException | RuntimeException | Error failure) {
      if (answer.isCutOff()) {
        return; // The cause is known, and the client has been answered.
      }
      failed(failure);
      throw failure;
    } finally {
      goesOn = dispatches.end();
    }
    dispatches.runDeferred();
    if (!goesOn && !isAsyncUnwrapped()) {
      finish(answer);
    }
  }

  private void handle(ServletRequest next, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    try {
      grant
          .running()
          .<Boolean, Exception>interruptibly(
              execution -> {
                chain.doFilter(next, response);
                dispatches.runDeferred();
                return true;
              });
    } catch (IOException | ServletException | RuntimeException e) {
      throw e;
    } catch (Exception e) { // From a language without checked exceptions.
      throw new ServletException(e);
    }
  }

  /**
   * Returns whether the handler has unwrapped its request to become asynchronous. The exchange can
   * then only be notified of the end. (On an error page containers may report a request as
   * asynchronous that no longer is.)
   */
  private boolean isAsyncUnwrapped() {
    HttpServletRequest original = coveredRequest.request();
    if (onErrorPage || dispatches.isAsyncStarted() || !original.isAsyncStarted()) {
      return false;
    }
    try {
      original.getAsyncContext().addListener(new AsyncEndListener(this));
    } catch (IllegalStateException e) { // It has already ended.
      endedByContainer();
    }
    return true;
  }

  private void keep(CapturedResponse answered) throws IOException {
    HttpAnswer answer = coveredRequest.answer(answered);
    try {
      grant.complete(answer);
    } catch (OnceException e) {
      sender.sendInstead(operation, operation.answer(e));
      return;
    }
    sender.send(operation, answer, answered);
  }

  /**
   * Returns whether an answer is kept. A 406 says that the handler was executed and that its answer
   * has no form which the client accepts. There is no transaction to roll back, so it is kept.
   */
  private boolean keeps(int status) {
    return coveredRequest.keeps(status)
        || (status == NOT_ACCEPTABLE
            && !coveredRequest.refused().get()
            && !coveredRequest.unknown().get());
  }

  /** Ends the grant of an answer that is not kept only after all of it has been written. */
  private void finishStreaming(CapturedResponse answer) throws IOException {
    try {
      answer.finishStreaming();
    } finally {
      endUnkept(answer, new ResponseNotKeptException(answer.getStatus()));
    }
  }

  /**
   * Forwards an error to the container, which renders a page and dispatches it through this filter.
   * If it has no page, there is no further dispatch; so the heartbeat stops and the lease runs out.
   */
  private void passError(CapturedResponse answer) throws IOException {
    int status = answer.errorStatus();
    if (keeps(status) && !onErrorPage) {
      grant.leave();
    } else {
      endWithoutAnswer(answer, status, new ResponseNotKeptException(status));
    }
    answer.sendErrorThrough();
  }

  private void failed(Throwable failure) {
    if (dispatches.mayBeRunning()) {
      dispatches.notAwaited(); // A listener may still answer.
      grant.leave();
    } else if (keeps(SERVER_ERROR) && !onErrorPage) {
      grant.leave();
    } else {
      endWithoutAnswer(captured, SERVER_ERROR, failure);
    }
  }

  /** Ends the exchange when the container sends its own answer, which is not kept. */
  private void endWithoutAnswer(CapturedResponse answer, int status, Throwable cause) {
    if (endUnkept(answer, cause)) {
      sender.tell(
          operation, operation.executed(new HttpAnswer(status, Headers.NONE, Payload.NONE)));
    }
  }

  /**
   * Ends an exchange whose answer is not kept; returns whether the answer is to be sent. A handler
   * that may still be running on a thread of its own keeps the key until it completes or its lease
   * runs out.
   */
  private boolean endUnkept(CapturedResponse answer, Throwable cause) {
    if (dispatches.giveUp()) {
      grant.leave();
      return !grant.isOver() && sentMeanwhile.compareAndSet(null, answer);
    }
    if (!grant.end()) {
      return false;
    }
    coveredRequest.endPending();
    grant.giveBack(cause);
    return true;
  }

  private CapturedResponse capture() {
    return new CapturedResponse(
        sender.response(),
        operation.request().terms().maxPayloadBytes(),
        new Streaming(coveredRequest, grant, sender),
        dispatches);
  }

  private boolean isOurs(ServletResponse response) {
    return response == captured
        || (response instanceof ServletResponseWrapper it && it.isWrapperFor(captured));
  }
}
