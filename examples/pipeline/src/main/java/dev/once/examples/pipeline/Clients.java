package dev.once.examples.pipeline;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Several clients that send commands at the same time. */
final class Clients implements AutoCloseable {
  private static final int CLIENTS = 6;

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<Future<?>> running = new ArrayList<>();
  private final Tally tally = new Tally();
  private final URI api;
  private final int events;
  private final long seed;

  Clients(URI api, int events, long seed) {
    this.api = api;
    this.events = events;
    this.seed = seed;
  }

  Tally tally() {
    return tally;
  }

  void start() {
    CommandSender sender = new CommandSender(api, tally);
    for (int i = 0; i < CLIENTS; i++) {
      int share = events / CLIENTS + (i < events % CLIENTS ? 1 : 0);
      Client client = new Client(sender, tally, i, share, seed);
      running.add(threads.submit(client::run, null));
    }
  }

  /** Returns whether all commands were answered. */
  boolean isDone() {
    boolean isDone = true;
    for (Future<?> client : running) {
      isDone &= client.isDone();
      requireSuccess(client);
    }
    return isDone;
  }

  private static void requireSuccess(Future<?> client) {
    if (client.isDone()) {
      try {
        client.get();
      } catch (ExecutionException e) {
        throw new IllegalStateException("a client failed: " + e.getCause(), e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
