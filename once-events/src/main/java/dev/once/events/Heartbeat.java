package dev.once.events;

import dev.once.events.Registry.Renewal;
import dev.once.jdbc.internal.DedicatedConnection;
import dev.once.jdbc.internal.Threads;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Renews the leases of claimed events, on a thread and a connection of its own. Another thread
 * watches the time and never uses the database, so that it detects an expired lease even while a
 * renewal hangs.
 */
final class Heartbeat implements AutoCloseable {
  private static final int EXPIRY_CHECKS_PER_LEASE = 20;
  private static final Duration MAX_CHECK_INTERVAL = Duration.ofSeconds(1);
  private static final int MAX_BATCH_SIZE = 500;
  private static final Duration MAX_TIMEOUT = Duration.ofSeconds(10);

  private final ConsumerContext context;
  private final PostgresRegistry registry;
  private final Set<EventLease> leases;
  private final Duration timeout;
  private final DedicatedConnection connection;
  private final ScheduledThreadPoolExecutor threads;

  Heartbeat(ConsumerContext context, PostgresRegistry registry, Set<EventLease> leases) {
    this.context = context;
    this.registry = registry;
    this.leases = leases;
    Duration quarter = registry.lease().dividedBy(4);
    this.timeout = quarter.compareTo(MAX_TIMEOUT) < 0 ? quarter : MAX_TIMEOUT;
    this.connection = new DedicatedConnection(registry.dataSource(), timeout);
    this.threads = Threads.scheduled(2, "once-events-" + context.handler() + "-heartbeat");
  }

  void start() {
    Duration check = registry.lease().dividedBy(EXPIRY_CHECKS_PER_LEASE);
    every(check.compareTo(MAX_CHECK_INTERVAL) < 0 ? check : MAX_CHECK_INTERVAL, this::watch);
    every(registry.heartbeat(), this::renew);
  }

  @Override
  public void close() {
    threads.shutdownNow();
    try {
      // A renewal that is under way would open the connection again.
      threads.awaitTermination(timeout.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    connection.close();
  }

  private void every(Duration time, Runnable task) {
    var unused =
        threads.scheduleWithFixedDelay(
            () -> guard(task), time.toNanos(), time.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** A scheduled task that throws is never called again, and leases would no longer be renewed. */
  private void guard(Runnable task) {
    try {
      task.run();
    } catch (Throwable e) {
      context.trouble("maintaining the leases of events", e);
    }
  }

  private void watch() {
    for (EventLease lease : leases) {
      if (lease.isOver() && lease.lose()) {
        reportLost(lease);
      }
    }
  }

  private void renew() {
    List<EventLease> due = leases.stream().filter(it -> !it.isLost()).toList();
    for (int from = 0; from < due.size(); from += MAX_BATCH_SIZE) {
      renew(due.subList(from, Math.min(due.size(), from + MAX_BATCH_SIZE)));
    }
  }

  private void renew(List<EventLease> batch) {
    long sent = System.nanoTime();
    Renewal answer;
    try {
      answer = connection.run(it -> registry.renew(it, batch));
    } catch (SQLException | RuntimeException e) {
      context.trouble("renewing the leases of events", e);
      return; // The next heartbeat tries again, until the lease expires.
    }
    for (EventLease lease : batch) {
      if (answer.renewed().contains(lease)) {
        lease.renewed(sent);
      } else if (!answer.held().contains(lease) && lease.lose()) {
        reportLost(lease);
      }
    }
  }

  private void reportLost(EventLease lease) {
    context.report(new ConsumerEvent.LeaseLost(context.handler(), lease.event(), lease.fence()));
  }
}
