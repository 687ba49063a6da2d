package dev.once.events;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Reads the pages of a log for a relay, the next one while the relay publishes the last one. The
 * order of a log never changes, so that a page is the same whenever it is read. Used by one thread.
 */
final class PageReader {
  private final EventLog log;
  private final int limit;
  private final Executor executor;

  private @Nullable Ahead ahead;

  /**
   * @param executor runs what is read ahead
   */
  PageReader(EventLog log, int limit, Executor executor) {
    this.log = log;
    this.limit = limit;
    this.executor = executor;
  }

  /** A page that is being read. */
  private record Ahead(String after, CompletableFuture<EventLog.Page> page) {}

  /** Starts to read the page after a position. */
  void readAhead(String after) {
    ahead = new Ahead(after, CompletableFuture.supplyAsync(() -> log.read(after, limit), executor));
  }

  /** Returns the page after a position; a log is never read by two threads at the same time. */
  EventLog.Page read(String after) throws InterruptedException {
    Ahead last = ahead;
    if (last == null) {
      return log.read(after, limit);
    }
    try {
      EventLog.Page page = last.page().get();
      ahead = null;
      return last.after().equals(after) ? page : log.read(after, limit);
    } catch (ExecutionException e) {
      ahead = null;
      if (last.after().equals(after)) {
        throw rethrown(e.getCause());
      }
      return log.read(after, limit);
    }
  }

  private static RuntimeException rethrown(@Nullable Throwable failure) {
    if (failure instanceof Error error) {
      throw error;
    }
    return failure instanceof RuntimeException it ? it : new IllegalStateException(failure);
  }
}
