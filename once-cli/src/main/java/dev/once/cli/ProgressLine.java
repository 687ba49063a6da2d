package dev.once.cli;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/** Prints how far long work is, once a second. */
final class ProgressLine implements AutoCloseable {
  private final AtomicReference<String> line = new AtomicReference<>("");
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "once-progress");
            thread.setDaemon(true);
            return thread;
          });

  ProgressLine(Session session) {
    var unused = timer.scheduleAtFixedRate(() -> print(session), 1, 1, TimeUnit.SECONDS);
  }

  void set(String text) {
    line.set(text);
  }

  private void print(Session session) {
    String current = line.get();
    if (!current.isEmpty()) {
      session.note(current);
    }
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
