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
import org.jspecify.annotations.Nullable;

/**
 * One operation under a lease, from its grant to its answer. It ends where the handler ends: when
 * the chain returns, when an asynchronous handler completes or is dispatched again, or when the
 * container has made the error page that the handler asked for. Whoever gets there first ends it.
 */
final class LeasedExchange implements SuspendedExchange {
  private static final int SERVER_ERROR = 500;

  private final CoveredRequest coveredRequest;
  private final HttpOperation operation;
  private final ExchangeGrant grant;
  private final AsyncRequest request;
  private final DispatchTracker dispatches = new DispatchTracker();
  private volatile ResponseSender sender;
  private volatile CapturedResponse captured;

  /** The response of a handler that the container did not wait for. */
  private volatile @Nullable CapturedResponse left;

  private volatile boolean onErrorPage;

  LeasedExchange(CoveredRequest coveredRequest, BeginResult.Running<HttpAnswer> running) {
    this.coveredRequest = coveredRequest;
    this.operation = coveredRequest.operation();
    this.grant = new ExchangeGrant(running, coveredRequest);
    this.request = new AsyncRequest(coveredRequest.request(), coveredRequest.body(), this, dispatches);
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
      leaveHandlerAtWork();
      captured.detach();
      onErrorPage = true;
      sender = sender.to(response);
      captured = capture();
      dispatch(next, captured, chain);
    }
  }

  CapturedResponse captured() {
    return captured;
  }

  /** What a handler writes to that the container did not wait for. */
  CapturedResponse leftResponse() {
    CapturedResponse response = left;
    return response == null ? captured : response;
  }

  /** Keeps the answer and sends it, unless that was done before. */
  void finish(CapturedResponse answer) throws IOException {
    answer.finishWriting(); // First of all, since it may outgrow its limit only now.
    if (answer.errorStatus() != 0) {
      passError(answer);
    } else if (answer.isStreaming()) {
      finishStreaming(answer);
    } else if (!coveredRequest.keeps(answer.getStatus())) {
      if (letGo(new ResponseNotKeptException(answer.getStatus()))) {
        sender.send(operation, coveredRequest.answer(answer), answer);
      }
    } else if (grant.end()) {
      coveredRequest.endPending();
      keep(answer);
    }
  }

  /**
   * The handler is done, after the container has ended its request. Its headers are lost and there
   * is nobody to send anything to, but what it did must not be done again.
   */
  void finishLate() {
    CapturedResponse answer = leftResponse();
    answer.finishWriting();
    grant.endLate(answer);
  }

  /** The container is done with a request of which we do not know how it ended. */
  void endedByContainer() {
    if (grant.isOver() || dispatches.isFinishing()) {
      return;
    }
    if (leaveHandlerAtWork()) {
      grant.leave();
    } else {
      grant.abandon(
          new IllegalStateException("the container ended the request before its handler answered"));
    }
  }

  /** Goes on without a handler that may still be at work; its answer may come late. */
  private boolean leaveHandlerAtWork() {
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
      if (dispatches.mayGoOn() || answer.isStreaming()) {
        failed(refused);
        throw refused;
      }
      sender.replace(answer, coveredRequest.http().refuse(refused));
    } catch (IOException | ServletException | RuntimeException | Error failure) {
      if (answer.isCutOff()) {
        return; // That is why, and the client knows.
      }
      failed(failure);
      throw failure;
    } finally {
      goesOn = dispatches.end();
    }
    dispatches.runDeferred();
    if (!goesOn && !goesOnBehindOurBack()) {
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
   * Whether the handler has unwrapped its request to go asynchronous. All we can do then is to hear
   * of the end. (On an error page containers may call a request asynchronous that no longer is.)
   */
  private boolean goesOnBehindOurBack() {
    HttpServletRequest original = coveredRequest.request();
    if (onErrorPage || dispatches.isAsyncStarted() || !original.isAsyncStarted()) {
      return false;
    }
    try {
      original.getAsyncContext().addListener(new AsyncEndListener(this));
    } catch (IllegalStateException e) { // It is over already.
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

  /** What is not kept is given back only now, when all of it is on its way. */
  private void finishStreaming(CapturedResponse answer) throws IOException {
    try {
      answer.finishStreaming();
    } finally {
      letGo(new ResponseNotKeptException(answer.getStatus()));
    }
  }

  /**
   * The container makes the page for an error and dispatches it through us. Should it have none, we
   * are not called again: so the lease is left to run out.
   */
  private void passError(CapturedResponse answer) throws IOException {
    int status = answer.errorStatus();
    if (coveredRequest.keeps(status) && !onErrorPage) {
      grant.leave();
    } else {
      endWithoutAnswer(status, new ResponseNotKeptException(status));
    }
    answer.sendErrorThrough();
  }

  private void failed(Throwable failure) {
    if (coveredRequest.keeps(SERVER_ERROR) && !onErrorPage) {
      grant.leave();
    } else {
      endWithoutAnswer(SERVER_ERROR, failure);
    }
  }

  /** The container answers by itself, with something that is not kept. */
  private void endWithoutAnswer(int status, Throwable cause) {
    if (letGo(cause)) {
      sender.tell(
          operation, operation.executed(new HttpAnswer(status, Headers.NONE, Payload.NONE)));
    }
  }

  /**
   * Ends an exchange whose answer is not kept, unless it is over already. A handler that may be at
   * work on a thread of its own keeps the key until it is done, or until the lease has run out.
   */
  private boolean letGo(Throwable cause) {
    if (dispatches.mayGoOn()) {
      grant.leave();
      return !grant.isOver();
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
