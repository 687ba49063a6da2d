package dev.once.servlet;

import dev.once.http.HttpAnswer;
import dev.once.http.HttpOnce;
import dev.once.http.HttpOperation;
import jakarta.servlet.http.HttpServletRequest;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A request that was let in, and what every exchange has to know about it.
 *
 * @param http the contract, applied
 * @param operation what is to be done once
 * @param request the request as the filter got it
 * @param body its body, which is read
 * @param sender the way back to the client
 * @param refused whether the handler said that nothing took effect
 * @param attribute the name under which the container keeps an exchange that is not over
 */
record CoveredRequest(
    HttpOnce http,
    HttpOperation operation,
    HttpServletRequest request,
    RequestBody body,
    ResponseSender sender,
    AtomicBoolean refused,
    String attribute) {
  /** Whether an answer with this status is kept, by the contract and by what the handler said. */
  boolean keeps(int status) {
    return operation.keeps(status) && !refused.get();
  }

  /** What is kept of a response. */
  HttpAnswer answer(CapturedResponse captured) {
    return captured.answer(http.contract().keptHeaders());
  }

  /** Has the container hand later dispatches of the request to {@code exchange}. */
  void keepPending(SuspendedExchange exchange) {
    request.setAttribute(attribute, exchange);
  }

  void endPending() {
    request.removeAttribute(attribute);
  }
}
