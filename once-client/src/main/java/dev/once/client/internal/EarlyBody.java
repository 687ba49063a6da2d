package dev.once.client.internal;

import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;

/**
 * Gives the caller a body that is still being received, as soon as the headers are there: so that
 * the caller can wait for a limited time, which costs neither a timer nor another thread.
 */
record EarlyBody(BoundedBody body) implements BodySubscriber<BoundedBody> {
  @Override
  public CompletionStage<BoundedBody> getBody() {
    return CompletableFuture.completedStage(body);
  }

  @Override
  public void onSubscribe(Flow.Subscription subscription) {
    body.onSubscribe(subscription);
  }

  @Override
  public void onNext(List<ByteBuffer> buffers) {
    body.onNext(buffers);
  }

  @Override
  public void onError(Throwable failure) {
    body.onError(failure);
  }

  @Override
  public void onComplete() {
    body.onComplete();
  }
}
