package dev.once.servlet;

import dev.once.http.HttpOperation;
import dev.once.http.HttpOperation.Answered;

/**
 * Is notified how each operation was answered, just before the answer is sent. For metrics, logs
 * and traces: it must be quick and must not throw.
 */
@FunctionalInterface
public interface ExchangeListener {
  /** Does nothing. */
  ExchangeListener NONE = (operation, answered) -> {};

  void answered(HttpOperation operation, Answered answered);
}
