package dev.once.servlet;

import dev.once.Begun;
import dev.once.LeaseLostException;
import dev.once.Once;
import dev.once.OnceException;
import dev.once.OutcomeUnknownException;
import dev.once.Request;
import dev.once.Result;
import dev.once.StoreException;
import dev.once.http.Contract;
import dev.once.http.HttpAnswer;
import dev.once.http.HttpOperation;
import dev.once.servlet.Transactions.CommitFailedException;
import dev.once.servlet.Transactions.RolledBackException;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/**
 * One operation in one database transaction: the claim, what the handler writes, and the answer.
 *
 * <p>An answer that is kept is committed with the handler's writes. After a handler that failed
 * nothing is left of them, but its refusal may still have to be kept: it is then recorded by
 * itself. Between the two another request with the key may come in and succeed; its answer wins,
 * since ours stands for nothing.
 */
final class TransactionalExchange implements Pending {
  private static final int FIRST_REFUSAL = 400;
  private static final int SERVER_ERROR = 500;

  private final Contract contract;
  private final HttpOperation operation;
  private final Once once;
  private final Transactions transactions;
  private final HttpServletRequest original;
  private final RequestBody body;
  private final Delivery delivery;
  private CapturedResponse captured;

  TransactionalExchange(
      Contract contract,
      HttpOperation operation,
      Once once,
      Transactions transactions,
      HttpServletRequest original,
      RequestBody body,
      Delivery delivery) {
    this.contract = contract;
    this.operation = operation;
    this.once = once;
    this.transactions = transactions;
    this.original = original;
    this.body = body;
    this.delivery = delivery;
    this.captured = capture(delivery.response());
  }

  /** Executes the handler, unless the key has an answer; {@code waiting} is for when it is held. */
  void start(FilterChain chain, Waiting waiting) throws IOException, ServletException {
    try {
      Result<HttpAnswer> result = attempt(chain);
      if (result instanceof Result.Held && !operation.request().terms().maxWait().isZero()) {
        Begun<HttpAnswer> begun = waiting.begin(operation.request());
        result = begun instanceof Begun.Answered<HttpAnswer> it ? it.result() : retry(begun, chain);
      }
      if (result instanceof Result.Executed<HttpAnswer> it) {
        delivery.send(operation, it.value(), captured);
      } else {
        delivery.send(operation, operation.answer(result));
      }
    } catch (RolledBackException e) {
      rolledBack();
    } catch (CommitFailedException e) {
      delivery.sendInstead(operation, operation.outcomeUnknown());
    } catch (StoreException | OutcomeUnknownException | LeaseLostException e) {
      delivery.sendInstead(operation, operation.answer(e));
    } catch (NotKept e) {
      notKept();
    } catch (IOException | ServletException | RuntimeException e) {
      if (keeps(SERVER_ERROR)) {
        original.setAttribute(ATTRIBUTE, this); // The container makes the page and dispatches it.
      }
      throw e;
    } catch (Exception e) {
      throw new AssertionError("a filter chain throws nothing else", e);
    }
  }

  /** The container has made the page of a refusal whose transaction is rolled back. */
  @Override
  public void resume(HttpServletRequest next, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    if (next.getDispatcherType() != DispatcherType.ERROR) {
      chain.doFilter(next, response);
      return;
    }
    original.removeAttribute(ATTRIBUTE);
    captured = capture(response);
    chain.doFilter(next, captured);
    keepRefusal(captured.answer(contract.keptHeaders()));
  }

  private Result<HttpAnswer> attempt(FilterChain chain) throws Exception {
    Request<HttpAnswer> atOnce = Waiting.notAtAll(operation.request());
    return transactions.<Result<HttpAnswer>, Exception>execute(
        joined ->
            joined.<HttpAnswer, Exception>run(
                atOnce,
                execution -> {
                  Executing.begin(original, execution);
                  return handle(chain);
                }));
  }

  /** The owner is gone without an answer, and we were granted its key: only to try again. */
  private Result<HttpAnswer> retry(Begun<HttpAnswer> begun, FilterChain chain) throws Exception {
    ((Begun.Running<HttpAnswer>) begun)
        .release(new IllegalStateException("tried again in a transaction"));
    return attempt(chain);
  }

  private HttpAnswer handle(FilterChain chain) throws IOException, ServletException {
    chain.doFilter(new SynchronousRequest(original, body, operation.route()), captured);
    HttpAnswer answer = captured.answer(contract.keptHeaders());
    if (captured.errorStatus() != 0) {
      throw new NotKept(captured.errorStatus());
    }
    if (!keeps(answer.status())) {
      throw new NotKept(answer.status());
    }
    return answer;
  }

  private void notKept() throws IOException {
    int error = captured.errorStatus();
    if (error == 0) {
      delivery.send(operation, captured.answer(contract.keptHeaders()), captured);
      return;
    }
    if (keeps(error)) {
      original.setAttribute(ATTRIBUTE, this);
    }
    captured.sendErrorThrough();
  }

  private void rolledBack() throws IOException, ServletException {
    HttpAnswer answer = captured.answer(contract.keptHeaders());
    if (answer.status() < FIRST_REFUSAL) {
      throw new ServletException(
          "the handler of "
              + operation.route().template()
              + " answered "
              + answer.status()
              + " after it had its transaction rolled back: nothing was stored");
    }
    keepRefusal(answer);
  }

  private void keepRefusal(HttpAnswer answer) throws IOException {
    if (!keeps(answer.status())) {
      delivery.send(operation, answer, captured);
      return;
    }
    try {
      Result<HttpAnswer> result =
          once.run(Waiting.notAtAll(operation.request()), execution -> answer);
      if (result instanceof Result.Executed) {
        delivery.send(operation, answer, captured);
      } else {
        delivery.sendInstead(operation, operation.answer(result));
      }
    } catch (OnceException e) {
      delivery.sendInstead(operation, operation.answer(e));
    }
  }

  private boolean keeps(int status) {
    return operation.keeps(status) && !Executing.isRefused(original);
  }

  /** Nothing may be sent before the commit, so a larger answer is an error. */
  private static CapturedResponse capture(HttpServletResponse response) {
    return new CapturedResponse(
        response,
        Contract.MAX_BODY_BYTES,
        size -> {
          throw new IOException(
              "the answer of a transactional route must have at most "
                  + Contract.MAX_BODY_BYTES
                  + " bytes: run the route leased, which can stream");
        });
  }
}
