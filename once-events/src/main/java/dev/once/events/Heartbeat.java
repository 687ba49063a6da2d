package dev.once.events;

import dev.once.jdbc.internal.Threads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Keeps the leases of claimed events. A thread watches the time and never uses the database, so
 * that it detects an expired lease even while a renewal hangs. Renewals have a thread and a
 * connection of their own, which are replaced if they hang.
 */
final class Heartbeat implements AutoCloseable {
  private static final int EXPIRY_CHECKS_PER_LEASE = 20;
  private static final Duration MAX_CHECK_INTERVAL = Duration.ofSeconds(1);
  private static final Duration MAX_TIMEOUT = Duration.ofSeconds(10);

  /** Threads that hang in the driver or the pool cannot be ended, so that there is a limit. */
  private static final int MAX_HANGING = 4;

  private final ConsumerContext context;
  private final PostgresRegistry registry;
  private final Set<EventLease> leases;
  private final Duration timeout;
  private final ScheduledThreadPoolExecutor watching;

  // Used only on the watching thread, and after that has ended.
  private final List<LeaseRenewer> hanging = new ArrayList<>();
  private LeaseRenewer renewer;

  Heartbeat(ConsumerContext context, PostgresRegistry registry, Set<EventLease> leases) {
    this.context = context;
    this.registry = registry;
    this.leases = leases;
    Duration quarter = registry.lease().dividedBy(4);
    this.timeout = quarter.compareTo(MAX_TIMEOUT) < 0 ? quarter : MAX_TIMEOUT;
    this.watching = Threads.scheduled(1, "once-events-" + context.handler() + "-leases");
    this.renewer = newRenewer();
  }

  void start() {
    renewer.connect(); // Before effects may have taken all connections of a pool.
    Duration check = registry.lease().dividedBy(EXPIRY_CHECKS_PER_LEASE);
    every(check.compareTo(MAX_CHECK_INTERVAL) < 0 ? check : MAX_CHECK_INTERVAL, this::watch);
    every(registry.heartbeat(), this::renew);
  }

  @Override
  public void close() {
    watching.shutdownNow();
    try {
      watching.awaitTermination(timeout.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    renewer.close();
  }

  private void every(Duration time, Runnable task) {
    var unused =
        watching.scheduleWithFixedDelay(
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
        context.report(
            new ConsumerEvent.LeaseLost(context.handler(), lease.event(), lease.fence()));
      }
    }
    if (renewer.isBusyFor(timeout) && replaceRenewer()) {
      renew();
    }
  }

  private boolean replaceRenewer() {
    hanging.removeIf(it -> !it.isBusyFor(Duration.ZERO));
    if (hanging.size() >= MAX_HANGING) {
      return false;
    }
    LeaseRenewer replaced = renewer;
    renewer = newRenewer();
    hanging.add(replaced);
    replaced.close();
    context.trouble(
        "renewing the leases of events",
        new IllegalStateException(
            "the database has not answered for " + timeout + ": another connection is tried"));
    return true;
  }

  private void renew() {
    List<EventLease> due = leases.stream().filter(it -> !it.isLost()).toList();
    if (!due.isEmpty() && !renewer.isBusyFor(Duration.ZERO)) {
      renewer.renew(due);
    }
  }

  private LeaseRenewer newRenewer() {
    return new LeaseRenewer(context, registry, timeout);
  }
}
