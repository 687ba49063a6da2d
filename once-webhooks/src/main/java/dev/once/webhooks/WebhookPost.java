package dev.once.webhooks;

import java.io.IOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.ResponseInfo;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Posts messages, signed. Thread-safe. */
record WebhookPost(
    HttpClient client, Duration timeout, String userAgent, TargetRules rules, InstantSource clock) {
  private static final int GONE = 410;

  /** Too many requests, and those that say that the receiver is not there for now. */
  private static final Set<Integer> BUSY = Set.of(429, 502, 503, 504);

  private static final int MAX_REASON_CHARS = 300;

  /** How long the rest of an answer may take after its status. */
  private static final Duration MAX_REST = Duration.ofSeconds(1);

  /**
   * Exceptions whose messages are about names, connections and certificates. Others quote what the
   * receiver answered, which may be the greeting of a service that the owner of the endpoint cannot
   * reach, or have characters that the database refuses.
   */
  private static final List<Class<? extends IOException>> QUOTABLE =
      List.of(
          ConnectException.class,
          UnknownHostException.class,
          HttpTimeoutException.class,
          SSLException.class);

  private static final Pattern UNPRINTABLE = Pattern.compile("[^ -~]");

  PostResult send(Target target, String messageId, byte[] body) throws InterruptedException {
    try {
      // Before each call: names change, and another process may have other rules. The client looks
      // the name up once more, and gets the addresses that Java keeps since then, or others if
      // they expired in between.
      rules.requireAllowed(target.url());
    } catch (IOException | IllegalArgumentException e) {
      return failed(e, e.getMessage());
    }
    CompletableFuture<ResponseInfo> head = new CompletableFuture<>();
    CompletableFuture<HttpResponse<Void>> call =
        client.sendAsync(
            request(target, messageId, body),
            info -> {
              head.complete(info);
              return new DiscardedBody(WebhookHttp.MAX_RESPONSE_BYTES);
            });
    CompletableFuture<HttpResponse<Void>> unused =
        call.whenComplete(
            (response, failure) -> {
              if (failure != null) {
                head.completeExceptionally(failure);
              }
            });
    try {
      ResponseInfo answer = head.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
      awaitEnd(call);
      return result(answer.statusCode(), answer.headers().firstValue("retry-after"));
    } catch (TimeoutException e) {
      return noAnswer();
    } catch (ExecutionException e) {
      return failed(causeOf(e));
    } finally {
      call.cancel(true); // Ends the call, also if this thread is interrupted.
    }
  }

  /**
   * Waits for the rest of an answer, so that the connection can be used again. The status counts,
   * whatever becomes of the rest.
   */
  private static void awaitEnd(CompletableFuture<HttpResponse<Void>> call) {
    try {
      call.get(MAX_REST.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (TimeoutException | ExecutionException e) {
      // The connection is closed.
    }
  }

  private HttpRequest request(Target target, String messageId, byte[] body) {
    long timestamp = clock.instant().getEpochSecond();
    return HttpRequest.newBuilder(target.url())
        .timeout(timeout)
        .header("content-type", "application/json")
        .header("user-agent", userAgent)
        .header("webhook-id", messageId)
        .header("webhook-timestamp", Long.toString(timestamp))
        .header("webhook-signature", target.keys().sign(messageId, timestamp, body))
        .POST(BodyPublishers.ofByteArray(body))
        .build();
  }

  private PostResult result(int status, Optional<String> retryAfter) {
    if (status >= 200 && status < 300) {
      return new PostResult.Accepted();
    }
    if (status == GONE) {
      return new PostResult.Gone();
    }
    Optional<Duration> delay =
        BUSY.contains(status)
            ? retryAfter.flatMap(it -> RetryAfter.parse(it, clock.instant()))
            : Optional.empty();
    return new PostResult.Failed("it answered " + status, delay);
  }

  private static Throwable causeOf(Throwable failure) {
    boolean isWrapper =
        failure instanceof ExecutionException || failure instanceof CompletionException;
    return isWrapper && failure.getCause() != null ? causeOf(failure.getCause()) : failure;
  }

  private PostResult failed(Throwable cause) {
    if (cause instanceof Error error) {
      throw error;
    }
    if (cause instanceof HttpTimeoutException && !(cause instanceof HttpConnectTimeoutException)) {
      return noAnswer();
    }
    boolean isQuotable = QUOTABLE.stream().anyMatch(it -> it.isInstance(cause));
    return failed(cause, isQuotable ? cause.getMessage() : null);
  }

  private PostResult noAnswer() {
    return new PostResult.Failed("no answer within " + timeout, Optional.empty());
  }

  private static PostResult failed(Throwable cause, @Nullable String message) {
    String reason = cause.getClass().getSimpleName() + (message == null ? "" : ": " + message);
    return new PostResult.Failed(
        UNPRINTABLE
            .matcher(reason.substring(0, Math.min(reason.length(), MAX_REASON_CHARS)))
            .replaceAll("?"),
        Optional.empty());
  }
}
