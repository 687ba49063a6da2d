package dev.once.servlet;

import dev.once.BeginResult;
import dev.once.Once;
import dev.once.Request;
import dev.once.Result;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * Lets duplicates wait for the first request's answer, but only so many at a time: on servers
 * without virtual threads each of them blocks a thread that others need.
 */
final class WaitLimit {
  private final Once once;
  private final Semaphore seats;

  WaitLimit(Once once, int maxWaiting) {
    this.once = once;
    this.seats = new Semaphore(maxWaiting);
  }

  /** Asks once, and then, if the key is held and there is a seat, for as long as the terms say. */
  <T extends @Nullable Object> BeginResult<T> begin(Request<T> request) {
    BeginResult<T> begun = once.begin(notAtAll(request));
    boolean isHeld = begun instanceof BeginResult.Answered<T> it && it.result() instanceof Result.Held<T>;
    if (!isHeld || request.terms().maxWait().isZero() || !seats.tryAcquire()) {
      return begun;
    }
    try {
      return once.begin(request);
    } finally {
      seats.release();
    }
  }

  static <T extends @Nullable Object> Request<T> notAtAll(Request<T> request) {
    return request.withTerms(request.terms().withMaxWait(Duration.ZERO));
  }
}
