package dev.once.client;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.ExchangeFilterFunction;
import org.springframework.web.reactive.function.client.ExchangeFunction;
import org.springframework.web.reactive.function.client.WebClientRequestException;
import reactor.core.publisher.Mono;

/**
 * Sends the requests of a {@code WebClient} again where the rules say that this is safe. A write
 * without a key gets one before its first attempt; set the header yourself if your code repeats the
 * call. The filter returns the last answer, or the last failure.
 */
public final class WebClientRetryFilter implements ExchangeFilterFunction {
  private final RetryRules rules;
  private final Duration deadline;

  public WebClientRetryFilter(RetryRules rules) {
    this(rules, OnceHttpClient.DEFAULT_DEADLINE);
  }

  /**
   * Creates a filter.
   *
   * @param deadline for a call with all its attempts and pauses
   */
  public WebClientRetryFilter(RetryRules rules, Duration deadline) {
    this.rules = rules;
    this.deadline = deadline;
  }

  @Override
  public Mono<ClientResponse> filter(ClientRequest request, ExchangeFunction next) {
    String method = request.method().name();
    // Once for all subscriptions: a retry around the filter keeps the key.
    ClientRequest keyed = RetryRules.isWrite(method) ? withKey(request) : request;
    return Mono.defer(() -> attempt(keyed, next, new RetrySchedule(rules, deadline)));
  }

  private ClientRequest withKey(ClientRequest request) {
    return ClientRequest.from(request)
        .headers(
            headers ->
                rules
                    .headers(UUID.randomUUID().toString())
                    .forEach(
                        (name, value) -> {
                          if (!headers.containsHeader(name)) {
                            headers.set(name, value);
                          }
                        }))
        .build();
  }

  private Mono<ClientResponse> attempt(
      ClientRequest request, ExchangeFunction next, RetrySchedule schedule) {
    String method = request.method().name();
    return next.exchange(request)
        .flatMap(WebClientRetryFilter::buffered)
        .flatMap(
            response ->
                pause(method, AttemptOutcome.answered(response.answer), schedule)
                    .map(it -> again(it, request, next, schedule))
                    .orElseGet(() -> Mono.just(response.response)))
        .onErrorResume(
            WebClientRequestException.class,
            failure ->
                pause(method, AttemptOutcome.failed(ioFailure(failure)), schedule)
                    .map(it -> again(it, request, next, schedule))
                    .orElseGet(() -> Mono.error(failure)));
  }

  private Mono<ClientResponse> again(
      Duration pause, ClientRequest request, ExchangeFunction next, RetrySchedule schedule) {
    return Mono.delay(pause).then(Mono.defer(() -> attempt(request, next, schedule)));
  }

  private Optional<Duration> pause(String method, AttemptOutcome outcome, RetrySchedule schedule) {
    return rules.decide(method, outcome) instanceof Decision.Retry retry
        ? schedule.pauseAfterAttempt(retry.atLeast())
        : Optional.empty();
  }

  private static IOException ioFailure(WebClientRequestException failure) {
    return failure.getCause() instanceof IOException it ? it : new IOException(failure);
  }

  private record Buffered(ClientResponse response, Answer answer) {}

  /** Reads the body of an error, so that its code can be seen; others are passed on unread. */
  private static Mono<Buffered> buffered(ClientResponse response) {
    Map<String, List<String>> headers = new HashMap<>();
    HttpHeaders all = response.headers().asHttpHeaders();
    all.forEach((name, values) -> headers.put(name, new ArrayList<>(values)));
    int status = response.statusCode().value();
    if (status < 400) {
      return Mono.just(new Buffered(response, new Answer(status, headers, new byte[0], true)));
    }
    return response
        .bodyToMono(byte[].class)
        .defaultIfEmpty(new byte[0])
        .map(
            body ->
                new Buffered(
                    response
                        .mutate()
                        .body(
                            DataBufferUtils.readInputStream(
                                () -> new ByteArrayInputStream(body),
                                DefaultDataBufferFactory.sharedInstance,
                                8192))
                        .build(),
                    new Answer(status, headers, body, true)));
  }
}
