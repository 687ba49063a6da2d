package dev.once.jobs;

import dev.once.internal.Limits;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.function.BooleanSupplier;

/**
 * How the workers of one process handle a queue. Immutable; change what differs from the default:
 * {@code Queue.named("mail").withSlots(4)}.
 *
 * @param name the queue
 * @param slots how many handlers run at the same time in this process
 * @param lease how long a claim lasts without a heartbeat: the longest time for which a crashed
 *     process blocks a job
 * @param concurrency how many of its jobs run at the same time in all processes together; empty for
 *     no limit
 * @param tenantConcurrency the same for each tenant
 * @param isPaused called before each claim: while it returns true, such as when the circuit breaker
 *     of a called service is open, no job is claimed, and a failed run does not count as an attempt
 */
public record Queue(
    String name,
    int slots,
    Duration lease,
    OptionalInt concurrency,
    OptionalInt tenantConcurrency,
    BooleanSupplier isPaused) {
  public static final int MAX_SLOTS = 10_000;
  public static final Duration MIN_LEASE = Duration.ofMillis(500);
  public static final Duration MAX_LEASE = Duration.ofDays(1);

  private static final int DEFAULT_SLOTS = 16;
  private static final Duration DEFAULT_LEASE = Duration.ofSeconds(30);

  public Queue {
    JobKey.requireName("queue", name);
    Limits.range("slots", slots, 1, MAX_SLOTS);
    concurrency.ifPresent(limit -> Limits.range("concurrency", limit, 1, MAX_SLOTS));
    tenantConcurrency.ifPresent(
        limit -> Limits.range("concurrency of a tenant", limit, 1, MAX_SLOTS));
    Limits.range("lease", lease, MIN_LEASE, MAX_LEASE);
  }

  public static Queue named(String name) {
    return new Queue(
        name, DEFAULT_SLOTS, DEFAULT_LEASE, OptionalInt.empty(), OptionalInt.empty(), () -> false);
  }

  public Queue withSlots(int slots) {
    return new Queue(name, slots, lease, concurrency, tenantConcurrency, isPaused);
  }

  public Queue withLease(Duration lease) {
    return new Queue(name, slots, lease, concurrency, tenantConcurrency, isPaused);
  }

  public Queue withConcurrency(int limit) {
    return new Queue(name, slots, lease, OptionalInt.of(limit), tenantConcurrency, isPaused);
  }

  public Queue withTenantConcurrency(int limit) {
    return new Queue(name, slots, lease, concurrency, OptionalInt.of(limit), isPaused);
  }

  public Queue pausedWhile(BooleanSupplier isPaused) {
    return new Queue(name, slots, lease, concurrency, tenantConcurrency, isPaused);
  }
}
