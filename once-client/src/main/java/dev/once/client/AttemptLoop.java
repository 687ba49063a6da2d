package dev.once.client;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.Optional;

/**
 * The attempts at one request of another HTTP client.
 *
 * @param method of the request
 */
record AttemptLoop(String method, RetrySchedule schedule) {
  /** The request, as its client sends it and reads its response. */
  interface Exchange<R> {
    R execute() throws IOException;

    /** Returns the answer, with the body of an error; another body is the caller's to read. */
    Answer answer(R response) throws IOException;

    /** Closes a response that the caller does not get. */
    void discard(R response);

    /**
     * Returns whether the request can be sent again.
     *
     * @throws IOException if it was cancelled
     */
    boolean isRepeatable() throws IOException;
  }

  /** Returns the last response, or throws the last failure. */
  <R> R run(Exchange<R> exchange) throws IOException {
    while (true) {
      R response;
      Optional<Duration> pause;
      try {
        response = exchange.execute();
        pause = pauseAfter(exchange, AttemptOutcome.answered(answer(exchange, response)));
        if (pause.isEmpty()) {
          return response;
        }
        exchange.discard(response);
      } catch (IOException e) {
        pause = pauseAfter(exchange, AttemptOutcome.failed(e));
        if (pause.isEmpty()) {
          throw e;
        }
      }
      sleep(pause.get());
    }
  }

  private static <R> Answer answer(Exchange<R> exchange, R response) throws IOException {
    try {
      return exchange.answer(response);
    } catch (IOException e) {
      exchange.discard(response);
      throw e;
    }
  }

  private Optional<Duration> pauseAfter(Exchange<?> exchange, AttemptOutcome outcome)
      throws IOException {
    return exchange.isRepeatable() ? schedule.pauseAfter(method, outcome) : Optional.empty();
  }

  private static void sleep(Duration pause) throws InterruptedIOException {
    try {
      Thread.sleep(pause.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted before the next attempt");
    }
  }
}
