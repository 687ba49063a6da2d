package dev.once.servlet;

import dev.once.http.HttpOperation;
import dev.once.http.HttpOperation.Answered;
import dev.once.http.Refusal;
import dev.once.http.ReplayStatus;
import dev.once.http.Route;

/**
 * Is notified how each operation was answered, just before the answer is sent. For metrics, logs
 * and traces: it must be quick and must not throw.
 */
@FunctionalInterface
public interface ExchangeListener {
  /** Does nothing. */
  ExchangeListener NONE = (operation, answered) -> {};

  void answered(HttpOperation operation, Answered answered);

  /**
   * Is notified of a request that passed without a guard, because of {@link Enforcement}.
   *
   * @param reason why it would have been refused
   */
  default void passed(String method, Route route, Refusal reason) {}

  /**
   * Is notified of a request with a valid key that passed because of {@link Enforcement#OBSERVE}.
   *
   * @param status what it would have been: a first request, a replay or a conflict
   */
  default void observed(HttpOperation operation, ReplayStatus status) {}

  /** Is notified of a request that was refused for its caller, key or body, before any claim. */
  default void refused(String method, Route route, Refusal reason) {}
}
