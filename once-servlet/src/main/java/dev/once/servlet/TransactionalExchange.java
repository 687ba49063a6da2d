package dev.once.servlet;

import dev.once.BeginResult;
import dev.once.Headers;
import dev.once.LeaseLostException;
import dev.once.Once;
import dev.once.OnceException;
import dev.once.OutcomeUnknownException;
import dev.once.Payload;
import dev.once.Request;
import dev.once.Result;
import dev.once.StoreException;
import dev.once.TenantLimitException;
import dev.once.UnreadableOutcomeException;
import dev.once.http.Contract;
import dev.once.http.HttpAnswer;
import dev.once.http.HttpOperation;
import dev.once.http.Refusal;
import dev.once.http.RefusedException;
import dev.once.servlet.Transactions.CommitFailedException;
import dev.once.servlet.Transactions.RolledBackException;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Executor;

/**
 * One operation in one database transaction: the claim, the handler's writes, and the answer.
 *
 * <p>An answer that is kept is committed with the handler's writes. If the handler fails, its
 * writes are rolled back, but its refusal may still have to be kept: it is then recorded
 * separately. Between the two, another request with the key may claim it and succeed; its answer
 * wins, since this request had no effect.
 */
final class TransactionalExchange implements SuspendedExchange {
  /** Rejects listeners: they need an asynchronous request. */
  static final Executor NEVER_LATER =
      task -> {
        throw new IllegalStateException(
            "the request is not asynchronous: read and write without a listener");
      };

  private static final int FIRST_REFUSAL = 400;
  private static final int SERVER_ERROR = 500;

  private final CoveredRequest coveredRequest;
  private final HttpOperation operation;
  private final Once once;
  private final Transactions transactions;
  private ResponseSender sender;
  private CapturedResponse captured;

  TransactionalExchange(CoveredRequest coveredRequest, Once once, Transactions transactions) {
    this.coveredRequest = coveredRequest;
    this.operation = coveredRequest.operation();
    this.once = once;
    this.transactions = transactions;
    this.sender = coveredRequest.sender();
    this.captured = capture(sender.response());
  }

  /** Executes the handler, unless the key has an answer; {@code waitLimit} is for a held key. */
  void start(FilterChain chain, WaitLimit waitLimit) throws IOException, ServletException {
    try {
      Optional<Result<HttpAnswer>> near = once.recall(operation.request());
      Result<HttpAnswer> result = near.isPresent() ? near.get() : attempt(chain);
      if (result instanceof Result.Held<HttpAnswer> held) {
        BeginResult<HttpAnswer> begun = waitLimit.await(operation.request(), held);
        result =
            begun instanceof BeginResult.Answered<HttpAnswer> it
                ? it.result()
                : retry(begun, chain);
      }
      if (result instanceof Result.Executed<HttpAnswer> it) {
        sender.send(operation, it.value(), captured);
      } else {
        sender.send(operation, operation.answer(result));
      }
    } catch (RolledBackException e) {
      rolledBack();
    } catch (CommitFailedException e) {
      sender.sendInstead(operation, operation.outcomeUnknown());
    } catch (StoreException | OutcomeUnknownException | LeaseLostException e) {
      sender.sendInstead(operation, operation.answer(e));
    } catch (AsyncRefusedException e) {
      asyncRefused(e);
    } catch (ResponseNotKeptException e) {
      notKept();
    } catch (RefusedException refused) {
      sender.replace(captured, coveredRequest.http().refuse(refused));
      keepRefusal();
    } catch (IOException | ServletException | RuntimeException e) {
      if (e instanceof OnceException it && isRefused(it)) {
        sender.sendInstead(operation, operation.notExecuted(it));
        return;
      }
      passError(SERVER_ERROR);
      throw e;
    } catch (Exception e) { // From a language without checked exceptions.
      passError(SERVER_ERROR);
      throw new ServletException(e);
    }
  }

  /** Leaves the answer to the container, whose error page is kept or not. */
  private void passError(int status) {
    if (coveredRequest.keeps(status)) {
      coveredRequest.keepPending(this);
    } else {
      tellError(status);
    }
  }

  private void tellError(int status) {
    sender.tell(operation, operation.executed(new HttpAnswer(status, Headers.NONE, Payload.NONE)));
  }

  /**
   * Returns whether the engine refused this operation itself. Once the handler is running, such a
   * failure belongs to another operation that the handler executes.
   */
  private boolean isRefused(OnceException failure) {
    return (failure instanceof UnreadableOutcomeException
            || failure instanceof TenantLimitException)
        && CurrentExecution.execution(coveredRequest.request()).isEmpty();
  }

  /** Keeps the container's page for a refusal whose transaction was rolled back. */
  @Override
  public void resume(HttpServletRequest next, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    if (next.getDispatcherType() != DispatcherType.ERROR) {
      chain.doFilter(next, response);
      return;
    }
    coveredRequest.endPending();
    sender = sender.to(response);
    captured = capture(response);
    chain.doFilter(next, captured);
    if (captured.errorStatus() == 0) {
      finishWriting();
      keepRefusal();
    } else {
      tellError(captured.errorStatus());
      captured.sendErrorThrough(); // There is no page for an error on the error page.
    }
  }

  private Result<HttpAnswer> attempt(FilterChain chain) throws Exception {
    Request<HttpAnswer> atOnce = WaitLimit.withoutWait(operation.request());
    return transactions.<Result<HttpAnswer>, Exception>execute(
        joined ->
            joined.<HttpAnswer, Exception>run(
                atOnce,
                execution -> {
                  CurrentExecution.begin(coveredRequest.request(), execution);
                  return handle(chain);
                }));
  }

  /**
   * Releases the grant and tries again in a transaction. The wait ended with a grant because the
   * owner ended without an answer.
   */
  private Result<HttpAnswer> retry(BeginResult<HttpAnswer> begun, FilterChain chain)
      throws Exception {
    ((BeginResult.Running<HttpAnswer>) begun)
        .release(new IllegalStateException("tried again in a transaction"));
    return attempt(chain);
  }

  private HttpAnswer handle(FilterChain chain) throws IOException, ServletException {
    SynchronousRequest request =
        new SynchronousRequest(coveredRequest.request(), coveredRequest.body(), operation.route());
    try {
      chain.doFilter(request, captured);
    } catch (IOException | ServletException | RuntimeException e) {
      if (request.isAsyncRefused()) {
        throw new AsyncRefusedException(e);
      }
      throw e;
    }
    if (request.isAsyncRefused()) {
      throw new AsyncRefusedException(null);
    }
    finishWriting();
    if (captured.errorStatus() != 0) {
      throw new ResponseNotKeptException(captured.errorStatus());
    }
    HttpAnswer answer = coveredRequest.answer(captured);
    if (!coveredRequest.keeps(answer.status())) {
      throw new ResponseNotKeptException(answer.status());
    }
    return answer;
  }

  private void finishWriting() throws IOException {
    captured.finishWriting();
    captured.requireWhole();
  }

  private void notKept() throws IOException, ServletException {
    int error = captured.errorStatus();
    if (error == 0) {
      if (coveredRequest.refused().get()) {
        leaveOpen();
      } else {
        requireRefusal("in a transaction, and its contract keeps no such answers");
      }
      sender.send(operation, coveredRequest.answer(captured), captured);
      return;
    }
    passError(error);
    captured.sendErrorThrough();
  }

  /** Keeps a refusal: if the key were free, the next request would start the same work again. */
  private void asyncRefused(AsyncRefusedException e) throws IOException {
    coveredRequest
        .request()
        .getServletContext()
        .log(
            operation.route().template()
                + " is transactional, but its handler tried to go asynchronous: run the route"
                + " leased, or let the handler return its value",
            e);
    RefusedException refused =
        new RefusedException(
            Refusal.UNCERTAIN,
            "the request may have taken effect: find out before you use a new key");
    sender.replace(captured, coveredRequest.http().refuse(refused));
    record(coveredRequest.answer(captured));
  }

  /**
   * Leaves an open record of a request that was refused before anything took effect, as a leased
   * route does: the key stays bound to it. Nothing depends on that, so a failure is ignored.
   */
  private void leaveOpen() {
    try {
      if (once.begin(WaitLimit.withoutWait(operation.request()))
          instanceof BeginResult.Running<HttpAnswer> running) {
        running.release(new ResponseNotKeptException(captured.getStatus()));
      }
    } catch (OnceException e) {
      // The store is unavailable, or the tenant is at a limit.
    }
  }

  private void rolledBack() throws IOException, ServletException {
    requireRefusal(
        "after it had its transaction rolled back, by a failed @Transactional method for example"
            + " (give that REQUIRES_NEW, or run the route leased)");
    keepRefusal();
  }

  /** Throws if the answer is a success, since nothing was stored. */
  private void requireRefusal(String circumstance) throws ServletException {
    int status = captured.getStatus();
    if (status < FIRST_REFUSAL) {
      tellError(SERVER_ERROR);
      throw new ServletException(
          "the handler of "
              + operation.route().template()
              + " answered "
              + status
              + " "
              + circumstance
              + ": nothing was stored");
    }
  }

  private void keepRefusal() throws IOException {
    HttpAnswer answer = coveredRequest.answer(captured);
    if (!coveredRequest.keeps(answer.status())) {
      sender.send(operation, answer, captured);
      return;
    }
    record(answer);
  }

  /** Records an answer after its transaction was rolled back, and sends it. */
  private void record(HttpAnswer answer) throws IOException {
    try {
      Result<HttpAnswer> result =
          once.run(WaitLimit.withoutWait(operation.request()), execution -> answer);
      if (result instanceof Result.Executed) {
        sender.send(operation, answer, captured);
      } else {
        sender.sendInstead(operation, operation.answer(result));
      }
    } catch (OnceException e) {
      sender.sendInstead(operation, operation.answer(e));
    }
  }

  /** Fails for a larger answer, since nothing may be sent before the commit. */
  private static CapturedResponse capture(HttpServletResponse response) {
    return new CapturedResponse(
        response,
        Contract.MAX_BODY_BYTES,
        (answer, size) -> {
          throw new IOException(
              "the answer of a transactional route must have at most "
                  + Contract.MAX_BODY_BYTES
                  + " bytes: run the route leased, which can stream");
        },
        NEVER_LATER);
  }
}
