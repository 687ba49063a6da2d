package dev.once.client;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpRequest;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.client.ClientHttpRequestExecution;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.http.client.ClientHttpResponse;

/**
 * Sends the requests of a {@code RestClient} or {@code RestTemplate} again where the rules say that
 * this is safe. A write without a key gets one before its first attempt; set the header yourself if
 * your code repeats the call. The interceptor returns the last answer, or throws the last failure.
 */
public final class RestClientRetryInterceptor implements ClientHttpRequestInterceptor {
  private final RetryRules rules;
  private final Duration deadline;

  public RestClientRetryInterceptor(RetryRules rules) {
    this(rules, OnceHttpClient.DEFAULT_DEADLINE);
  }

  /**
   * Creates an interceptor.
   *
   * @param deadline for a call with all its attempts and pauses
   */
  public RestClientRetryInterceptor(RetryRules rules, Duration deadline) {
    this.rules = rules;
    this.deadline = deadline;
  }

  @Override
  public ClientHttpResponse intercept(
      HttpRequest request, byte[] body, ClientHttpRequestExecution execution) throws IOException {
    String method = request.getMethod().name();
    if (RetryRules.isWrite(method)) {
      rules
          .headers(UUID.randomUUID().toString())
          .forEach((name, value) -> addIfAbsent(request.getHeaders(), name, value));
    }
    RetrySchedule schedule = new RetrySchedule(rules, deadline);
    while (true) {
      ClientHttpResponse response = null;
      IOException failure = null;
      AttemptOutcome outcome;
      try {
        response = execution.execute(request, body);
        if (response.getStatusCode().isError()) {
          response = BufferedResponse.of(response);
        }
        outcome = AttemptOutcome.answered(answer(response));
      } catch (IOException e) {
        failure = e;
        outcome = AttemptOutcome.failed(e);
      }
      Optional<Duration> pause =
          rules.decide(method, outcome) instanceof Decision.Retry retry
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
    }
  }

  /**
   * Returns the answer with the body of an error; that of another answer is the caller's to read.
   */
  private static Answer answer(ClientHttpResponse response) throws IOException {
    Map<String, List<String>> headers = new HashMap<>();
    response.getHeaders().forEach((name, values) -> headers.put(name, new ArrayList<>(values)));
    byte[] body = response instanceof BufferedResponse buffered ? buffered.body() : new byte[0];
    return new Answer(response.getStatusCode().value(), headers, body, true);
  }

  private static void addIfAbsent(HttpHeaders headers, String name, String value) {
    if (!headers.containsHeader(name)) {
      headers.set(name, value);
    }
  }

  private static void sleep(Duration pause) throws InterruptedIOException {
    try {
      Thread.sleep(pause.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted before the next attempt");
    }
  }

  /** An answer whose body was read, so that its error code can be seen. */
  @SuppressWarnings("ArrayRecordComponent") // Made and read in one place.
  private record BufferedResponse(
      HttpStatusCode status, String text, HttpHeaders headers, byte[] body)
      implements ClientHttpResponse {

    static BufferedResponse of(ClientHttpResponse response) throws IOException {
      try (response) {
        return new BufferedResponse(
            response.getStatusCode(),
            response.getStatusText(),
            response.getHeaders(),
            response.getBody().readAllBytes());
      }
    }

    @Override
    public HttpStatusCode getStatusCode() {
      return status;
    }

    @Override
    public String getStatusText() {
      return text;
    }

    @Override
    public HttpHeaders getHeaders() {
      return headers;
    }

    @Override
    public InputStream getBody() {
      return new ByteArrayInputStream(body);
    }

    @Override
    public void close() {}
  }
}
