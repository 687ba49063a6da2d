package dev.once.spring;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.http.HttpServletResponse;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

/** One operation that a breaker admitted. Its end is reported to the breaker only once. */
final class BreakerCall implements AsyncListener {
  private static final int FIRST_FAILURE = 500;

  private final CircuitBreaker breaker;
  private final HttpServletResponse response;
  private final long started;
  private final AtomicBoolean ended = new AtomicBoolean();

  BreakerCall(CircuitBreaker breaker, HttpServletResponse response) {
    this.breaker = breaker;
    this.response = response;
    this.started = breaker.getCurrentTimestamp();
  }

  /** Reports the answer of the handler: a failure from status 500 on, a success otherwise. */
  void answered() {
    if (response.getStatus() >= FIRST_FAILURE) {
      failed(new FailedAnswer(response.getStatus()));
    } else if (ended.compareAndSet(false, true)) {
      breaker.onSuccess(breaker.getCurrentTimestamp() - started, breaker.getTimestampUnit());
    }
  }

  void failed(Throwable failure) {
    if (ended.compareAndSet(false, true)) {
      breaker.onError(breaker.getCurrentTimestamp() - started, breaker.getTimestampUnit(), failure);
    }
  }

  @Override
  public void onComplete(AsyncEvent event) {
    answered();
  }

  @Override
  public void onTimeout(AsyncEvent event) {
    failed(new TimeoutException("the handler did not answer in time"));
  }

  @Override
  public void onError(AsyncEvent event) {
    failed(event.getThrowable());
  }

  /** The handler was dispatched and went asynchronous again: listeners have to be added again. */
  @Override
  public void onStartAsync(AsyncEvent event) {
    event.getAsyncContext().addListener(this);
  }

  /** Stands for a failed answer, because a breaker records failures as exceptions only. */
  private static final class FailedAnswer extends Exception {
    private static final long serialVersionUID = 1L;

    FailedAnswer(int status) {
      super("the handler answered " + status, null, false, false);
    }
  }
}
