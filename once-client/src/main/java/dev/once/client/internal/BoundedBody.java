package dev.once.client.internal;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Receives the body of an answer up to a limit; the rest is not received. */
public final class BoundedBody implements BodySubscriber<BoundedBody.Content> {
  private final int maxBytes;
  private final @Nullable Duration timeout;
  private final ByteArrayOutputStream received = new ByteArrayOutputStream();
  private final CompletableFuture<Content> content = new CompletableFuture<>();
  private Flow.@Nullable Subscription subscription;

  public BoundedBody(int maxBytes) {
    this(maxBytes, null);
  }

  /**
   * Creates a subscriber.
   *
   * @param timeout for the whole body
   */
  BoundedBody(int maxBytes, @Nullable Duration timeout) {
    this.maxBytes = maxBytes;
    this.timeout = timeout;
  }

  /** Returns whether an exchange failed because its body was not there in time. */
  static boolean isLate(IOException failure) {
    return failure.getCause() instanceof TimeoutException;
  }

  /**
   * What was received.
   *
   * @param isComplete false if the body is longer than the limit
   */
  @SuppressWarnings("ArrayRecordComponent") // Made and read in one place.
  public record Content(byte[] bytes, boolean isComplete) {
    /** Returns the text in UTF-8. */
    public String text() {
      return new String(bytes, StandardCharsets.UTF_8);
    }
  }

  @Override
  public CompletionStage<Content> getBody() {
    return content;
  }

  @Override
  public void onSubscribe(Flow.Subscription subscription) {
    this.subscription = subscription;
    subscription.request(Long.MAX_VALUE);
    if (timeout != null && !content.isDone()) { // A short body is there by now.
      var unused =
          content
              .orTimeout(Math.max(0, timeout.toNanos()), TimeUnit.NANOSECONDS)
              .whenComplete((it, failure) -> cancelAfter(failure));
    }
  }

  @Override
  public void onNext(List<ByteBuffer> buffers) {
    for (ByteBuffer buffer : buffers) {
      byte[] bytes = new byte[Math.min(buffer.remaining(), maxBytes - received.size())];
      buffer.get(bytes);
      received.writeBytes(bytes);
      if (buffer.hasRemaining()) {
        stop();
        return;
      }
    }
  }

  @Override
  public void onError(Throwable failure) {
    content.completeExceptionally(failure);
  }

  @Override
  public void onComplete() {
    content.complete(new Content(received.toByteArray(), true));
  }

  private void cancelAfter(@Nullable Throwable failure) {
    if (failure instanceof TimeoutException && subscription != null) {
      subscription.cancel();
    }
  }

  private void stop() {
    if (subscription != null) {
      subscription.cancel();
    }
    content.complete(new Content(received.toByteArray(), false));
  }
}
