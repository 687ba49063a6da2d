package dev.once.events;

import dev.once.events.Registry.Renewal;
import dev.once.jdbc.internal.DedicatedConnection;
import dev.once.jdbc.internal.Threads;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import org.jspecify.annotations.Nullable;

/** Renews leases on a thread and a connection of its own. Thread-safe. */
final class LeaseRenewer implements AutoCloseable {
  private static final int MAX_BATCH_SIZE = 500;

  private final ConsumerContext context;
  private final PostgresRegistry registry;
  private final DedicatedConnection connection;
  private final ScheduledThreadPoolExecutor thread;

  /** When the running task began; null if none runs. */
  private volatile @Nullable Long busySinceNanos;

  private volatile boolean closed;

  LeaseRenewer(ConsumerContext context, PostgresRegistry registry, Duration timeout) {
    this.context = context;
    this.registry = registry;
    this.connection = new DedicatedConnection(registry.dataSource(), timeout);
    this.thread = Threads.scheduled(1, "once-events-" + context.handler() + "-renew");
  }

  /** Opens the connection. */
  void connect() {
    submit(() -> run("connecting to renew leases", connection::open));
  }

  /** Renews leases later; reports those that are lost. */
  void renew(List<EventLease> due) {
    submit(() -> renewNow(due));
  }

  /** Returns whether a task has run for longer than {@code time}, or waits to run. */
  boolean isBusyFor(Duration time) {
    Long since = busySinceNanos;
    return since != null && System.nanoTime() - since >= time.toNanos();
  }

  /** Ends when the running task has ended, whose result is ignored. */
  @Override
  public void close() {
    closed = true;
    try {
      thread.execute(connection::close);
    } catch (RejectedExecutionException e) {
      return; // It was closed before.
    }
    thread.shutdown();
  }

  private void submit(Runnable task) {
    busySinceNanos = System.nanoTime();
    thread.execute(
        () -> {
          try {
            task.run();
          } finally {
            busySinceNanos = null;
          }
        });
  }

  void renewNow(List<EventLease> due) {
    for (int from = 0; from < due.size(); from += MAX_BATCH_SIZE) {
      List<EventLease> batch = due.subList(from, Math.min(due.size(), from + MAX_BATCH_SIZE));
      run("renewing the leases of events", () -> renewBatch(batch));
    }
  }

  private void renewBatch(List<EventLease> batch) throws SQLException {
    long sent = System.nanoTime();
    Renewal answer = connection.run(it -> registry.renew(it, batch));
    for (EventLease lease : batch) {
      if (answer.renewed().contains(lease)) {
        if (!closed) { // A later renewal may have been counted.
          lease.renewed(sent);
        }
      } else if (!answer.held().contains(lease) && lease.lose()) {
        context.report(
            new ConsumerEvent.LeaseLost(context.handler(), lease.event(), lease.fence()));
      }
    }
  }

  private interface Step {
    void run() throws SQLException;
  }

  /** After a failure the next heartbeat tries again, until the leases expire. */
  private void run(String what, Step step) {
    try {
      step.run();
    } catch (Throwable e) { // Also an Error: without this thread leases would expire.
      if (!closed) {
        context.trouble(what, e);
      }
    }
  }
}
