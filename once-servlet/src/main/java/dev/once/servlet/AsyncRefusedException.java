package dev.once.servlet;

import org.jspecify.annotations.Nullable;

/**
 * Thrown to roll back a transaction whose handler tried to go asynchronous. What it had started on
 * other threads by then may take effect, outside of the transaction.
 */
final class AsyncRefusedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  AsyncRefusedException(@Nullable Throwable cause) {
    super("the handler of a transactional route cannot go asynchronous", cause);
  }
}
