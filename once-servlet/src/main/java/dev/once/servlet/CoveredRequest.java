package dev.once.servlet;

import dev.once.http.HttpAnswer;
import dev.once.http.HttpOnce;
import dev.once.http.HttpOperation;
import jakarta.servlet.http.HttpServletRequest;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A request that the contract covers, with the data that every exchange needs.
 *
 * @param http the contract, applied
 * @param operation the operation to execute once
 * @param request the request as the filter received it
 * @param body its body, already read
 * @param sender sends the answer to the client
 * @param refused whether the handler declared that nothing took effect
 * @param unknown whether the handler declared that it cannot find out what took effect
 * @param attribute the request attribute that holds an unfinished exchange
 */
record CoveredRequest(
    HttpOnce http,
    HttpOperation operation,
    HttpServletRequest request,
    RequestBody body,
    ResponseSender sender,
    AtomicBoolean refused,
    AtomicBoolean unknown,
    String attribute) {
  /**
   * Returns whether the contract keeps answers with this status, and the handler declared nothing
   * else about its effect.
   */
  boolean keeps(int status) {
    return operation.keeps(status) && !refused.get() && !unknown.get();
  }

  /** Returns the part of a response that is kept. */
  HttpAnswer answer(CapturedResponse captured) {
    return captured.answer(http.contract().keptHeaders());
  }

  /** Makes later dispatches of the request resume {@code exchange}. */
  void keepPending(SuspendedExchange exchange) {
    request.setAttribute(attribute, exchange);
  }

  void endPending() {
    request.removeAttribute(attribute);
  }
}
