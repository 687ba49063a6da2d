package dev.once.servlet;

import dev.once.http.HttpOperation;
import dev.once.http.HttpOperation.Answered;

/**
 * Is told how each operation was answered, just before the answer is sent. For metrics, logs and
 * traces: it has to be quick, and must not throw.
 */
@FunctionalInterface
public interface ExchangeListener {
  /** Hears nothing. */
  ExchangeListener NONE = (operation, answered) -> {};

  void answered(HttpOperation operation, Answered answered);
}
