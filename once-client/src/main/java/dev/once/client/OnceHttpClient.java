package dev.once.client;

import dev.once.client.internal.BoundedBody;
import dev.once.client.internal.HttpSender;
import dev.once.client.internal.RetryAfter;
import dev.once.internal.Limits;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Sends operations, and sends them again where that is safe: the same bytes with the same key,
 * after pauses that the server or chance determines, until there is an answer, the attempts are
 * used up or the deadline has come. Thread-safe.
 *
 * <p>An interrupt ends an operation: nothing is sent after it, the result is {@link
 * OperationResult.Unknown}, and the thread stays interrupted.
 */
public final class OnceHttpClient {
  public static final Duration DEFAULT_DEADLINE = Duration.ofSeconds(30);
  public static final Duration DEFAULT_ATTEMPT_TIMEOUT = Duration.ofSeconds(10);

  private static final int MAX_REAPPLICATIONS = 20;
  private static final Duration MIN_TIMEOUT = Duration.ofMillis(1);
  private static final String INTERRUPTED = "interrupted";

  private final RetryRules rules;
  private final HttpClient http;
  private final Duration deadline;
  private final Duration attemptTimeout;
  private final Supplier<Map<String, String>> credentials;

  private OnceHttpClient(Builder builder) {
    this.rules = builder.rules;
    this.http = builder.http == null ? HttpSender.standard().http() : builder.http;
    this.deadline = builder.deadline;
    this.attemptTimeout = builder.attemptTimeout;
    this.credentials = builder.credentials;
  }

  /** Creates a client of an API with these rules. */
  public static OnceHttpClient of(RetryRules rules) {
    return builder(rules).build();
  }

  public static Builder builder(RetryRules rules) {
    return new Builder(rules);
  }

  public RetryRules rules() {
    return rules;
  }

  Duration attemptTimeout() {
    return attemptTimeout;
  }

  /** Sends an operation until its outcome is known, or nothing more can be done now. */
  public OperationResult send(Operation operation) {
    return new Sending(operation).run();
  }

  /**
   * Changes a resource that others may change too: reads it, sends the operation that {@code
   * change} makes of it, and starts again with a new operation while the server answers that the
   * resource was changed meanwhile.
   *
   * @param change gets the answer to the read; use its {@code ETag} for {@link
   *     Operation.Builder#ifMatch}, and create a new operation with every call
   * @param maxTries 1 to 20
   */
  public OperationResult update(URI resource, Function<Answer, Operation> change, int maxTries)
      throws IOException, InterruptedException {
    Limits.range("maxTries", maxTries, 1, MAX_REAPPLICATIONS);
    String lastKey = "";
    for (int attempt = 1; ; attempt++) {
      Operation operation = change.apply(read(resource));
      if (operation.key().equals(lastKey)) {
        throw new IllegalArgumentException(
            "every call of change must create a new operation: the server remembers its key");
      }
      lastKey = operation.key();
      OperationResult result = send(operation);
      boolean isConflict =
          result instanceof OperationResult.Refused refused && refused.advice() == Advice.REFETCH;
      if (!isConflict || attempt == maxTries) {
        return result;
      }
    }
  }

  private Answer read(URI resource) throws IOException, InterruptedException {
    HttpRequest.Builder request = HttpRequest.newBuilder(resource).GET().timeout(attemptTimeout);
    authorize(request);
    Answer answer = exchange(request.build(), attemptTimeout);
    if (answer.status() != 200) {
      throw new IOException("GET " + resource.getPath() + " was answered by " + answer.status());
    }
    return answer;
  }

  /**
   * Makes the request of an attempt. Nothing is sent yet, whatever the supplier of the credentials
   * throws.
   */
  HttpRequest request(Operation operation) {
    return request(operation, attemptTimeout);
  }

  private HttpRequest request(Operation operation, Duration timeout) {
    byte[] body = operation.bytes();
    HttpRequest.Builder request =
        HttpRequest.newBuilder(operation.uri())
            .timeout(timeout)
            .method(
                operation.method(),
                body.length == 0 ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body));
    operation.headers().forEach(request::setHeader);
    authorize(request);
    rules.headers(operation.key()).forEach(request::setHeader);
    return request.build();
  }

  /** Sends a request once. */
  AttemptOutcome attempt(HttpRequest request) throws InterruptedException {
    try {
      return AttemptOutcome.answered(exchange(request, request.timeout().orElse(attemptTimeout)));
    } catch (IOException e) {
      return AttemptOutcome.failed(e);
    }
  }

  private void authorize(HttpRequest.Builder request) {
    credentials
        .get()
        .forEach(
            (name, value) -> {
              Operation.requireHeader(name, value); // The JDK's failure would show the value.
              request.setHeader(name, value);
            });
  }

  /** Returns whether a status link says that the first request is still being executed. */
  private static boolean isInProgress(Answer state) {
    return state.status() / 100 == 2
        && state.member("/state").filter("in_progress"::equals).isPresent();
  }

  private Answer exchange(HttpRequest request, Duration timeout)
      throws IOException, InterruptedException {
    HttpResponse<BoundedBody.Content> response =
        new HttpSender(http, timeout).send(request, Answer.MAX_BODY_BYTES);
    BoundedBody.Content body = response.body();
    return new Answer(response.statusCode(), response.headers(), body.bytes(), body.isComplete());
  }

  /** One operation on its way. */
  private final class Sending {
    private final Operation operation;
    private final RetrySchedule schedule = new RetrySchedule(rules, deadline);
    private final List<Attempt> attempts = new ArrayList<>();
    private Optional<Answer> last = Optional.empty();
    private boolean mayHaveTakenEffect;
    private Duration pause = Duration.ZERO;

    Sending(Operation operation) {
      this.operation = operation;
    }

    OperationResult run() {
      try {
        while (true) {
          AttemptOutcome outcome = attemptOnce();
          Decision decision = rules.decide(operation.method(), outcome);
          Optional<OperationResult> result = resultOf(decision, outcome);
          if (result.isPresent()) {
            return result.get();
          }
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return unknown(
            mayHaveTakenEffect && !rules.isRepeatable(operation.method())
                ? Advice.CHECK_FIRST
                : Advice.SEND_AGAIN,
            Optional.empty());
      }
    }

    private AttemptOutcome attemptOnce() throws InterruptedException {
      long start = System.nanoTime();
      Duration left = max(MIN_TIMEOUT, schedule.left());
      if (Thread.interrupted()) {
        note(new AttemptOutcome(Optional.empty(), Optional.of(INTERRUPTED), false), start);
        throw new InterruptedException();
      }
      AttemptOutcome outcome;
      try {
        outcome = attempt(request(operation, min(attemptTimeout, left)));
      } catch (InterruptedException e) {
        mayHaveTakenEffect = true;
        note(new AttemptOutcome(Optional.empty(), Optional.of(INTERRUPTED), true), start);
        throw e;
      }
      note(outcome, start);
      last = outcome.answer().or(() -> last);
      mayHaveTakenEffect |= outcome.mayHaveTakenEffect();
      return outcome;
    }

    private void note(AttemptOutcome outcome, long start) {
      attempts.add(
          new Attempt(
              attempts.size() + 1,
              outcome.answer().map(Answer::status),
              outcome.failure(),
              outcome.isSent(),
              pause,
              Duration.ofNanos(System.nanoTime() - start)));
    }

    /** Returns empty after the pause before the next attempt. */
    private Optional<OperationResult> resultOf(Decision decision, AttemptOutcome outcome)
        throws InterruptedException {
      if (decision instanceof Decision.Done done) {
        Answer answer = outcome.answer().orElseThrow();
        return Optional.of(
            done.isReplayed()
                ? new OperationResult.Replayed(operation, answer, List.copyOf(attempts))
                : new OperationResult.Done(operation, answer, List.copyOf(attempts)));
      } else if (decision instanceof Decision.Refused refused) {
        return Optional.of(
            new OperationResult.Refused(
                operation,
                outcome.answer().orElseThrow(),
                refused.advice(),
                List.copyOf(attempts)));
      } else if (decision instanceof Decision.Unknown unknown) {
        return Optional.of(unknown(unknown.advice(), retryAfter(outcome)));
      } else if (decision instanceof Decision.Follow follow) {
        return follow(follow);
      } else if (decision instanceof Decision.Retry retry) {
        return pause(retry.atLeast());
      }
      throw new AssertionError("unhandled decision " + decision);
    }

    /** Waits for the end of the execution at its status link, which has no answer itself. */
    private Optional<OperationResult> follow(Decision.Follow follow) throws InterruptedException {
      URI link;
      try {
        link = operation.uri().resolve(follow.link());
      } catch (IllegalArgumentException e) { // It is no address.
        return Optional.of(unknown(Advice.SEND_AGAIN, Optional.of(follow.atLeast())));
      }
      if (attempts.size() >= rules.maxAttempts()
          || !String.valueOf(link.getScheme()).equals(operation.uri().getScheme())
          || !String.valueOf(link.getRawAuthority()).equals(operation.uri().getRawAuthority())) {
        return Optional.of(unknown(Advice.SEND_AGAIN, Optional.of(follow.atLeast())));
      }
      HttpRequest.Builder request = HttpRequest.newBuilder(link).GET();
      authorize(request);
      rules.headers(operation.key()).forEach(request::setHeader);
      while (true) {
        if (follow.atLeast().compareTo(schedule.left()) >= 0) {
          return Optional.of(unknown(Advice.SEND_AGAIN, Optional.of(follow.atLeast())));
        }
        sleep(follow.atLeast());
        try {
          Answer state =
              exchange(request.build(), max(MIN_TIMEOUT, min(attemptTimeout, schedule.left())));
          if (!isInProgress(state)) {
            return schedule.left().isZero()
                ? Optional.of(unknown(Advice.SEND_AGAIN, Optional.empty()))
                : Optional.empty(); // The same request gets the answer now.
          }
        } catch (IOException e) {
          // The link is asked again, until the deadline.
        }
      }
    }

    private Optional<OperationResult> pause(Duration atLeast) throws InterruptedException {
      Optional<Duration> next = schedule.pauseAfterAttempt(atLeast);
      if (next.isEmpty()) {
        return Optional.of(unknown(Advice.SEND_AGAIN, Optional.of(atLeast)));
      }
      sleep(next.get());
      return Optional.empty();
    }

    private void sleep(Duration time) throws InterruptedException {
      pause = time;
      Thread.sleep(time.toMillis());
    }

    private OperationResult unknown(Advice advice, Optional<Duration> retryAfter) {
      return new OperationResult.Unknown(
          operation, last, mayHaveTakenEffect, advice, retryAfter, List.copyOf(attempts));
    }
  }

  private static Optional<Duration> retryAfter(AttemptOutcome outcome) {
    return outcome.answer().flatMap(it -> RetryAfter.of(it.headers(), Instant.now()));
  }

  private static Duration max(Duration one, Duration other) {
    return one.compareTo(other) > 0 ? one : other;
  }

  private static Duration min(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  /** Builds a client. */
  public static final class Builder {
    private final RetryRules rules;
    private @Nullable HttpClient http;
    private Duration deadline = DEFAULT_DEADLINE;
    private Duration attemptTimeout = DEFAULT_ATTEMPT_TIMEOUT;
    private Supplier<Map<String, String>> credentials = Map::of;

    private Builder(RetryRules rules) {
      this.rules = rules;
    }

    /** Sets the client that connects; it must not follow redirects. */
    public Builder http(HttpClient http) {
      this.http = new HttpSender(http, attemptTimeout).http();
      return this;
    }

    /** Sets how long an operation may take with all its attempts and pauses. */
    public Builder deadline(Duration deadline) {
      Limits.range("deadline", deadline, Duration.ofMillis(1), Duration.ofHours(1));
      this.deadline = deadline;
      return this;
    }

    /** Sets how long an attempt may take until its whole answer is there. */
    public Builder attemptTimeout(Duration timeout) {
      Limits.range("attemptTimeout", timeout, Duration.ofMillis(1), HttpSender.MAX_TIMEOUT);
      this.attemptTimeout = timeout;
      return this;
    }

    /** Sets the headers that identify the caller. They are asked for before every attempt. */
    public Builder credentials(Supplier<Map<String, String>> credentials) {
      this.credentials = credentials;
      return this;
    }

    public OnceHttpClient build() {
      return new OnceHttpClient(this);
    }
  }
}
