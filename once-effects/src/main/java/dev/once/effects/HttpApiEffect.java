package dev.once.effects;

import dev.once.client.internal.BoundedBody;
import dev.once.client.internal.HttpSender;
import dev.once.client.internal.RetryAfter;
import dev.once.events.Event;
import dev.once.events.EventEffect;
import dev.once.events.EventExecution;
import dev.once.events.RetryLaterException;
import dev.once.events.UnprocessableEventException;
import dev.once.internal.Limits;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Calls an HTTP API, as the effect of an {@code EventConsumer}. The event's id is the idempotency
 * key: an API that keeps keys executes an event once, however often it is sent. Headers carry what
 * an API needs to refuse stale requests by itself: the sequence of the event in its aggregate, and
 * the fence of the attempt.
 *
 * <p>An answer of 2xx is success. No answer, 5xx, a redirect and the {@linkplain
 * Builder#retriedStatuses retried statuses} fail the attempt, and the consumer's policy decides
 * when the next one follows, but not before the time of a {@code Retry-After} or {@code RateLimit},
 * of which at most ten minutes are believed. Every other answer of 4xx is the last word: the event
 * is unprocessable.
 *
 * <p>What holds if the API forgets keys, or keeps none: an event is sent at least once, and again
 * after a lost answer. The API then has to compare {@link #SEQUENCE_HEADER} with the last one of
 * the aggregate.
 *
 * <p>Bodies of answers are not used, and are received up to {@link #MAX_RESPONSE_BYTES}. Failures
 * show method, address and status only. Thread-safe.
 */
public final class HttpApiEffect implements EventEffect {
  public static final String DEFAULT_KEY_HEADER = "Idempotency-Key";

  /** The sequence of the event among those of its aggregate. */
  public static final String SEQUENCE_HEADER = "Once-Sequence";

  /** Higher than that of every earlier attempt at the event. */
  public static final String FENCE_HEADER = "Once-Fence";

  /** The number of the attempt, from 1 on. */
  public static final String ATTEMPT_HEADER = "Once-Attempt";

  public static final int MAX_RESPONSE_BYTES = 64 * 1024;

  private static final Pattern RETRY_AFTER = Pattern.compile("[A-Za-z0-9,: ]{1,40}");

  private final String address;
  private final HttpSender sender;
  private final String keyHeader;
  private final boolean isKeyQuoted;
  private final Map<String, String> headers;
  private final Set<Integer> retriedStatuses;
  private final ApiRequestMapper mapper;

  private HttpApiEffect(Builder builder, ApiRequestMapper mapper) {
    this.address = builder.address;
    this.sender = builder.sender;
    this.keyHeader = builder.keyHeader;
    this.isKeyQuoted = builder.isKeyQuoted;
    this.headers = Map.copyOf(builder.headers);
    this.retriedStatuses = builder.retriedStatuses;
    this.mapper = mapper;
  }

  /** Returns a builder of an effect on the API at {@code address}. */
  public static Builder builder(URI address) {
    return new Builder(address);
  }

  @Override
  public void apply(Event event, EventExecution execution) throws InterruptedException {
    Optional<ApiRequest> request = mapper.map(event);
    if (request.isEmpty()) {
      return;
    }
    HttpRequest sent = request(request.get(), event, execution);
    HttpResponse<BoundedBody.Content> answer;
    try {
      answer = sender.send(sent, MAX_RESPONSE_BYTES);
    } catch (IOException e) {
      throw new EffectException(
          "%s to %s has no answer (%s)"
              .formatted(sent.method(), address, e.getClass().getSimpleName()),
          e);
    }
    requireSuccess(sent.method(), answer);
  }

  private HttpRequest request(ApiRequest request, Event event, EventExecution execution) {
    HttpRequest.Builder builder =
        HttpRequest.newBuilder(URI.create(address + request.path()))
            .method(request.method(), BodyPublishers.ofByteArray(request.body()));
    headers.forEach(builder::setHeader);
    if (!request.contentType().isEmpty()) {
      builder.setHeader("Content-Type", request.contentType());
    }
    String key = EventKey.of(event.id());
    return builder
        .setHeader(keyHeader, isKeyQuoted ? '"' + key + '"' : key)
        .setHeader(SEQUENCE_HEADER, String.valueOf(event.sequence()))
        .setHeader(FENCE_HEADER, String.valueOf(execution.fence()))
        .setHeader(ATTEMPT_HEADER, String.valueOf(execution.attempt()))
        .build();
  }

  private void requireSuccess(String method, HttpResponse<BoundedBody.Content> answer) {
    int status = answer.statusCode();
    if (status / 100 == 2) {
      return;
    }
    String failure = "%s to %s was answered by %d".formatted(method, address, status);
    if (status / 100 == 4 && !retriedStatuses.contains(status)) {
      throw new UnprocessableEventException(failure);
    }
    String retryAfter =
        answer
            .headers()
            .firstValue("Retry-After")
            .filter(it -> RETRY_AFTER.matcher(it).matches())
            .map(it -> ", Retry-After: " + it)
            .orElse("");
    Optional<Duration> wait = RetryAfter.of(answer.headers(), Instant.now());
    if (wait.isPresent()) {
      throw new RetryLaterException(failure + retryAfter, null, wait.get());
    }
    throw new EffectException(failure + retryAfter, null);
  }

  /** The settings of {@link HttpApiEffect}. */
  public static final class Builder {
    public static final Duration DEFAULT_TIMEOUT = HttpSender.DEFAULT_TIMEOUT;
    public static final Duration MAX_TIMEOUT = HttpSender.MAX_TIMEOUT;

    /**
     * Statuses that say something about the moment, the caller or another request under the same
     * key, and not about the event.
     */
    public static final Set<Integer> DEFAULT_RETRIED_STATUSES =
        Set.of(401, 403, 407, 408, 409, 425, 429);

    private final String address;
    private HttpSender sender = HttpSender.standard();
    private String keyHeader = DEFAULT_KEY_HEADER;
    private boolean isKeyQuoted;
    private final Map<String, String> headers = new LinkedHashMap<>();
    private Set<Integer> retriedStatuses = DEFAULT_RETRIED_STATUSES;

    private Builder(URI address) {
      this.address = HttpSender.base("an API", address);
    }

    /** Sets the header of the idempotency key, {@link #DEFAULT_KEY_HEADER} by default. */
    public Builder keyHeader(String name) {
      HttpHeaderValues.check(name, "");
      this.keyHeader = name;
      return this;
    }

    /** Sends the key in quotes, as a string of structured fields (the form of the IETF draft). */
    public Builder quotedKey() {
      this.isKeyQuoted = true;
      return this;
    }

    /** Sends a header with every request, such as {@code Authorization}. */
    public Builder header(String name, String value) {
      HttpHeaderValues.check(name, value);
      headers.put(name, value);
      return this;
    }

    /** Sets the statuses of 4xx after which the event is sent again. */
    public Builder retriedStatuses(Set<Integer> statuses) {
      statuses.forEach(it -> Limits.range("retried status", it, 400, 499));
      this.retriedStatuses = Set.copyOf(statuses);
      return this;
    }

    /** Sets how long an attempt waits for an answer, 30 s by default. */
    public Builder timeout(Duration timeout) {
      this.sender = new HttpSender(sender.http(), timeout);
      return this;
    }

    /** Uses another HTTP client, for certificates or proxies of one's own. */
    public Builder http(HttpClient client) {
      this.sender = new HttpSender(client, sender.timeout());
      return this;
    }

    public HttpApiEffect build(ApiRequestMapper mapper) {
      return new HttpApiEffect(this, mapper);
    }
  }
}
