package dev.once.examples.payments;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** Does things a little later, on threads that may wait. */
final class Later implements AutoCloseable {
  private final ExecutorService threads = Executors.newCachedThreadPool();

  /** What the task throws is lost, as a request to a shop that is down is. */
  void run(long millis, Runnable task) {
    var delayed = CompletableFuture.delayedExecutor(millis, TimeUnit.MILLISECONDS, threads);
    delayed.execute(task);
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
