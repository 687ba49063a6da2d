package dev.once.examples.payments;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** Runs tasks after a delay, on threads that may block. */
final class Later implements AutoCloseable {
  private final ExecutorService threads = Executors.newCachedThreadPool();

  /** Runs a task later. Its exceptions are lost, like a request to a shop that is down. */
  void run(long millis, Runnable task) {
    var delayed = CompletableFuture.delayedExecutor(millis, TimeUnit.MILLISECONDS, threads);
    delayed.execute(task);
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
