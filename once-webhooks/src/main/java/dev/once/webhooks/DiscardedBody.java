package dev.once.webhooks;

import java.net.http.HttpResponse.BodySubscriber;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/**
 * Reads a body to its end, so that the connection can be used again, but not for more than some
 * bytes.
 */
final class DiscardedBody implements BodySubscriber<Void> {
  private final CompletableFuture<Void> end = new CompletableFuture<>();
  private Flow.@Nullable Subscription subscription;
  private long bytesLeft;

  DiscardedBody(long maxBytes) {
    this.bytesLeft = maxBytes;
  }

  @Override
  public CompletionStage<Void> getBody() {
    return end;
  }

  @Override
  public void onSubscribe(Flow.Subscription subscription) {
    this.subscription = subscription;
    subscription.request(1);
  }

  @Override
  public void onNext(List<ByteBuffer> buffers) {
    bytesLeft -= buffers.stream().mapToLong(Buffer::remaining).sum();
    Flow.Subscription upstream = subscription;
    if (upstream == null) {
      return;
    }
    if (bytesLeft >= 0) {
      upstream.request(1);
    } else {
      upstream.cancel();
      onComplete();
    }
  }

  @Override
  public void onError(Throwable failure) {
    end.completeExceptionally(failure);
  }

  @Override
  @SuppressWarnings("NullAway") // Void has no other value.
  public void onComplete() {
    end.complete(null);
  }
}
