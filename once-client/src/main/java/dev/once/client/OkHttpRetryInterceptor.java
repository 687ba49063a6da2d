package dev.once.client;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
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
    return new AttemptLoop(request.method(), new RetrySchedule(rules, deadline))
        .run(new Exchange(request, chain));
  }

  private Request keyed(Request request) {
    Map<String, String> headers = rules.newKey(request.method(), it -> request.header(it) != null);
    if (headers.isEmpty()) {
      return request;
    }
    Request.Builder keyed = request.newBuilder();
    headers.forEach(keyed::header);
    return keyed.build();
  }

  private record Exchange(Request request, Chain chain) implements AttemptLoop.Exchange<Response> {
    @Override
    public Response execute() throws IOException {
      if (chain.call().isCanceled()) {
        throw new IOException("Canceled");
      }
      return chain.proceed(request);
    }

    /** Reads what is needed of the body; the caller can still read all of it. */
    @Override
    public Answer answer(Response response) throws IOException {
      byte[] body =
          response.code() < 400 ? new byte[0] : response.peekBody(Answer.MAX_BODY_BYTES).bytes();
      return new Answer(response.code(), response.headers().toMultimap(), body, true);
    }

    @Override
    public void discard(Response response) {
      response.close();
    }

    @Override
    public boolean isRepeatable() {
      return (request.body() == null || !request.body().isOneShot()) && !chain.call().isCanceled();
    }
  }
}
