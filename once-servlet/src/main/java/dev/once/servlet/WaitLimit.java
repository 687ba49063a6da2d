package dev.once.servlet;

import dev.once.BeginResult;
import dev.once.Once;
import dev.once.Request;
import dev.once.Result;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * Limits how many duplicates wait for the first request's answer at the same time: on servers
 * without virtual threads, each of them blocks a thread that other requests need.
 */
final class WaitLimit {
  private final Once once;
  private final Semaphore seats;

  WaitLimit(Once once, int maxWaiting) {
    this.once = once;
    this.seats = new Semaphore(maxWaiting);
  }

  /** Claims without waiting, and waits if the key is held. */
  <T extends @Nullable Object> BeginResult<T> begin(Request<T> request) {
    BeginResult<T> begun = once.begin(withoutWait(request));
    return begun instanceof BeginResult.Answered<T> it && it.result() instanceof Result.Held<T> held
        ? await(request, held)
        : begun;
  }

  /** Waits as long as the terms allow if there is a free seat; otherwise the key is held. */
  <T extends @Nullable Object> BeginResult<T> await(Request<T> request, Result.Held<T> held) {
    if (request.terms().maxWait().isZero() || !seats.tryAcquire()) {
      return new BeginResult.Answered<>(held);
    }
    try {
      return once.begin(request, held);
    } finally {
      seats.release();
    }
  }

  static <T extends @Nullable Object> Request<T> withoutWait(Request<T> request) {
    return request.withTerms(request.terms().withMaxWait(Duration.ZERO));
  }
}
