package dev.once.client.internal;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Receives the body of an answer up to a limit; the rest is not received. */
public final class BoundedBody implements BodySubscriber<BoundedBody.Content> {
  private final int maxBytes;
  private final ByteArrayOutputStream received = new ByteArrayOutputStream();
  private final CompletableFuture<Content> content = new CompletableFuture<>();
  private volatile Flow.@Nullable Subscription subscription;

  public BoundedBody(int maxBytes) {
    this.maxBytes = maxBytes;
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

  /**
   * Waits for the body; what is not there in time, or when the caller is interrupted, is not
   * received.
   */
  Content await(Duration time) throws IOException, InterruptedException {
    try {
      return content.get(Math.max(0, time.toNanos()), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw new HttpTimeoutException("the answer is not complete in time");
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException it ? it : new IOException(e.getCause());
    } finally {
      if (!content.isDone()) {
        stop();
      }
    }
  }

  @Override
  public void onSubscribe(Flow.Subscription subscription) {
    this.subscription = subscription;
    subscription.request(Long.MAX_VALUE);
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

  private void stop() {
    Flow.Subscription known = subscription;
    if (known != null) {
      known.cancel();
    }
    content.complete(new Content(received.toByteArray(), false));
  }
}
