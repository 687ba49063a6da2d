package dev.once.s3;

import dev.once.StoreException;
import dev.once.StoreUnavailableException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Reads several places at the same time: a page of the log takes one request per event. */
final class EventLoader {
  private static final int THREADS = 16;
  private static final long IDLE_SECONDS = 10;

  private final LogObjects log;
  private final ExecutorService threads;

  EventLoader(LogObjects log) {
    this.log = log;
    this.threads = newThreads();
  }

  /** Returns what is at each place, in their order. */
  List<PlaceContent> load(List<Place> places) {
    List<Future<PlaceContent>> loading = new ArrayList<>();
    for (Place place : places) {
      loading.add(threads.submit(() -> log.at(place)));
    }
    try {
      List<PlaceContent> loaded = new ArrayList<>();
      for (Future<PlaceContent> it : loading) {
        loaded.add(it.get());
      }
      return loaded;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreUnavailableException("reading events was interrupted", e);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof StoreException it
          ? it
          : new IllegalStateException("reading events failed", e);
    } finally {
      loading.forEach(it -> it.cancel(false));
    }
  }

  /** The threads end when they are idle, so that the store needs no close. */
  private static ExecutorService newThreads() {
    ThreadPoolExecutor threads =
        new ThreadPoolExecutor(
            THREADS,
            THREADS,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            task -> {
              Thread thread = new Thread(task, "once-s3-read");
              thread.setDaemon(true);
              return thread;
            });
    threads.allowCoreThreadTimeOut(true);
    return threads;
  }
}
