package dev.once.client;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import okhttp3.Interceptor;
import okhttp3.Request;
import okhttp3.Response;

/**
 * Sends the requests of an {@code OkHttpClient} again where the rules say that this is safe. Add it
 * as an application interceptor, and switch off {@code retryOnConnectionFailure}, which sends
 * writes again without asking. A write without a key gets one before its first attempt; set the
 * header yourself if your code repeats the call. The interceptor returns the last answer, or throws
 * the last failure. A request with a body that can be written only once is sent once.
 */
public final class OkHttpRetryInterceptor implements Interceptor {
  private final RetryRules rules;
  private final Duration deadline;

  public OkHttpRetryInterceptor(RetryRules rules) {
    this(rules, OnceHttpClient.DEFAULT_DEADLINE);
  }

  /**
   * Creates an interceptor.
   *
   * @param deadline for a call with all its attempts and pauses
   */
  public OkHttpRetryInterceptor(RetryRules rules, Duration deadline) {
    this.rules = rules;
    this.deadline = deadline;
  }

  @Override
  public Response intercept(Chain chain) throws IOException {
    Request request = keyed(chain.request());
    RetrySchedule schedule = new RetrySchedule(rules, deadline);
    while (true) {
      Response response = null;
      IOException failure = null;
      AttemptOutcome outcome;
      try {
        response = chain.proceed(request);
        outcome = AttemptOutcome.answered(answer(response));
      } catch (IOException e) {
        failure = e;
        outcome = AttemptOutcome.failed(e);
      }
      Optional<Duration> pause =
          !isOneShot(request)
                  && !chain.call().isCanceled()
                  && rules.decide(request.method(), outcome) instanceof Decision.Retry retry
              ? schedule.pauseAfterAttempt(retry.atLeast())
              : Optional.empty();
      if (pause.isEmpty()) {
        if (response != null) {
          return response;
        }
        throw failure == null ? new IOException("no answer") : failure;
      }
      if (response != null) {
        response.close();
      }
      sleep(pause.get());
      if (chain.call().isCanceled()) {
        throw new IOException("Canceled");
      }
    }
  }

  private static boolean isOneShot(Request request) {
    return request.body() != null && request.body().isOneShot();
  }

  private Request keyed(Request request) {
    if (!RetryRules.isWrite(request.method())) {
      return request;
    }
    Request.Builder keyed = request.newBuilder();
    rules
        .headers(UUID.randomUUID().toString())
        .forEach(
            (name, value) -> {
              if (request.header(name) == null) {
                keyed.header(name, value);
              }
            });
    return keyed.build();
  }

  /** Returns the answer with what is needed of its body; the caller can still read all of it. */
  private static Answer answer(Response response) throws IOException {
    byte[] body =
        response.code() < 400 ? new byte[0] : response.peekBody(Answer.MAX_BODY_BYTES).bytes();
    return new Answer(response.code(), response.headers().toMultimap(), body, true);
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
