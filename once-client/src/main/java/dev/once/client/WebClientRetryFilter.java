package dev.once.client;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.ExchangeFilterFunction;
import org.springframework.web.reactive.function.client.ExchangeFunction;
import org.springframework.web.reactive.function.client.WebClientRequestException;
import reactor.core.publisher.Flux;
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
    Map<String, String> key =
        rules.newKey(request.method().name(), request.headers()::containsHeader);
    // Once for all subscriptions: a retry around the filter keeps the key.
    ClientRequest keyed =
        ClientRequest.from(request).headers(headers -> key.forEach(headers::set)).build();
    return Mono.defer(() -> attempt(keyed, next, new RetrySchedule(rules, deadline)));
  }

  private static Mono<ClientResponse> attempt(
      ClientRequest request, ExchangeFunction next, RetrySchedule schedule) {
    return next.exchange(request)
        .flatMap(WebClientRetryFilter::peeked)
        .onErrorResume(WebClientRequestException.class, it -> Mono.just(Attempted.failed(it)))
        .flatMap(
            attempted ->
                schedule
                    .pauseAfter(request.method().name(), attempted.outcome)
                    .map(Mono::delay)
                    .map(it -> it.then(Mono.defer(() -> attempt(request, next, schedule))))
                    .orElse(attempted.result));
  }

  /** What an attempt ended with, and what its caller gets if it was the last one. */
  private record Attempted(AttemptOutcome outcome, Mono<ClientResponse> result) {
    static Attempted failed(WebClientRequestException failure) {
      return new Attempted(AttemptOutcome.failed(ioFailure(failure)), Mono.error(failure));
    }

    static Attempted answered(
        ClientResponse response, Map<String, List<String>> headers, byte[] body) {
      int status = response.statusCode().value();
      return new Attempted(
          AttemptOutcome.answered(new Answer(status, headers, body, true)), Mono.just(response));
    }
  }

  private static IOException ioFailure(WebClientRequestException failure) {
    return failure.getCause() instanceof IOException it ? it : new IOException(failure);
  }

  /** Reads the body of an error, so that its code can be seen; others are passed on unread. */
  private static Mono<Attempted> peeked(ClientResponse response) {
    Map<String, List<String>> headers = new HashMap<>();
    HttpHeaders all = response.headers().asHttpHeaders();
    all.forEach((name, values) -> headers.put(name, new ArrayList<>(values)));
    if (!response.statusCode().isError()) {
      return Mono.just(Attempted.answered(response, headers, new byte[0]));
    }
    // The limit of the codecs would make a failure of a longer answer.
    return DataBufferUtils.join(response.bodyToFlux(DataBuffer.class), Answer.MAX_BODY_BYTES)
        .map(WebClientRetryFilter::bytes)
        .defaultIfEmpty(new byte[0])
        .map(body -> Attempted.answered(withBody(response, body), headers, body));
  }

  private static byte[] bytes(DataBuffer buffer) {
    byte[] bytes = new byte[buffer.readableByteCount()];
    buffer.read(bytes);
    DataBufferUtils.release(buffer);
    return bytes;
  }

  private static ClientResponse withBody(ClientResponse response, byte[] body) {
    return response
        .mutate()
        .body(Flux.defer(() -> Flux.just(DefaultDataBufferFactory.sharedInstance.wrap(body))))
        .build();
  }
}
