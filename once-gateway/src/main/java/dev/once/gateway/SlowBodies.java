package dev.once.gateway;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.Invocable;
import org.jspecify.annotations.Nullable;

/**
 * Cuts off clients that send a body a few bytes at a time to hold a thread. A body is read as long
 * as {@code bytes >= rate * (waited - grace)}. Silence ends with the idle timeout, so it is enough
 * to look whenever more bytes are waited for. Only that time counts: a body that is not read,
 * because the service is slow, is not the client's fault.
 *
 * <p>Jetty's own handler for data rates has no grace: it takes a short body for slow if its second
 * packet is late.
 */
final class SlowBodies extends Handler.Wrapper {
  private final long bytesPerSecond;
  private final Duration grace;

  SlowBodies(Handler handler, ListenSettings settings) {
    super(handler);
    this.bytesPerSecond = settings.minBodyRate();
    this.grace = settings.bodyGrace();
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    return super.handle(new Measured(request), response, callback);
  }

  private final class Measured extends Request.Wrapper {
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong waitedNanos = new AtomicLong();
    private volatile Content.@Nullable Chunk failure;

    Measured(Request request) {
      super(request);
    }

    @Override
    public Content.@Nullable Chunk read() {
      if (failure != null) {
        return failure;
      }
      Content.Chunk chunk = super.read();
      if (chunk != null) {
        bytes.addAndGet(chunk.remaining());
      }
      return chunk;
    }

    @Override
    public void demand(Runnable callback) {
      if (isTooSlow()) {
        failure =
            Content.Chunk.from(
                new SlowBodyException(
                    "a body must arrive with %d bytes per second".formatted(bytesPerSecond)));
        callback.run();
        return;
      }
      long start = System.nanoTime();
      // A callback that needs no thread must stay one: all threads may be waiting for bodies.
      super.demand(
          Invocable.from(
              Invocable.getInvocationType(callback),
              () -> {
                waitedNanos.addAndGet(System.nanoTime() - start);
                callback.run();
              }));
    }

    private boolean isTooSlow() {
      long millis = TimeUnit.NANOSECONDS.toMillis(waitedNanos.get() - grace.toNanos());
      return millis > 0 && bytes.get() < millis * bytesPerSecond / 1000;
    }
  }
}
