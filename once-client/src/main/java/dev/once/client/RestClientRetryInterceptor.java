package dev.once.client;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpRequest;
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
    HttpHeaders headers = request.getHeaders();
    rules.newKey(method, headers::containsHeader).forEach(headers::set);
    return new AttemptLoop(method, new RetrySchedule(rules, deadline))
        .run(new Call(request, body, execution));
  }

  @SuppressWarnings("ArrayRecordComponent") // Made and read in one place.
  private record Call(HttpRequest request, byte[] body, ClientHttpRequestExecution execution)
      implements AttemptLoop.Exchange<ClientHttpResponse> {
    @Override
    public ClientHttpResponse execute() throws IOException {
      ClientHttpResponse response = execution.execute(request, body);
      try {
        return response.getStatusCode().isError() ? new PeekedResponse(response) : response;
      } catch (IOException | RuntimeException e) {
        response.close();
        throw e;
      }
    }

    @Override
    public Answer answer(ClientHttpResponse response) throws IOException {
      Map<String, List<String>> headers = new HashMap<>();
      response.getHeaders().forEach((name, values) -> headers.put(name, new ArrayList<>(values)));
      byte[] start = response instanceof PeekedResponse peeked ? peeked.start() : new byte[0];
      return new Answer(response.getStatusCode().value(), headers, start, true);
    }

    @Override
    public void discard(ClientHttpResponse response) {
      response.close();
    }

    @Override
    public boolean isRepeatable() {
      return true;
    }
  }
}
