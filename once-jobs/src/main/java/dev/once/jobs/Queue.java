package dev.once.jobs;

import dev.once.internal.Limits;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.BooleanSupplier;

/**
 * How the workers of one process handle a queue. Immutable; change what differs from the default:
 * {@code Queue.named("mail").withSlots(4)}.
 */
public final class Queue {
  public static final int MAX_SLOTS = 10_000;
  public static final Duration MIN_LEASE = Duration.ofMillis(500);
  public static final Duration MAX_LEASE = Duration.ofDays(1);

  private static final int DEFAULT_SLOTS = 16;
  private static final Duration DEFAULT_LEASE = Duration.ofSeconds(30);

  private final String name;
  private final int slots;
  private final Duration lease;
  private final OptionalInt concurrency;
  private final OptionalInt tenantConcurrency;
  private final Optional<RateLimit> rate;
  private final BooleanSupplier isPaused;

  /**
   * How many jobs start in a time. After a pause, as many may start at once.
   *
   * @param jobs 1 to 10,000
   * @param time 1 second to 1 day
   */
  public record RateLimit(int jobs, Duration time) {
    public static final Duration MIN_TIME = Duration.ofSeconds(1);
    public static final Duration MAX_TIME = Duration.ofDays(1);

    public RateLimit {
      Limits.range("jobs of a rate limit", jobs, 1, MAX_SLOTS);
      Limits.range("time of a rate limit", time, MIN_TIME, MAX_TIME);
    }
  }

  private Queue(
      String name,
      int slots,
      Duration lease,
      OptionalInt concurrency,
      OptionalInt tenantConcurrency,
      Optional<RateLimit> rate,
      BooleanSupplier isPaused) {
    JobKey.requireName("queue", name);
    Limits.range("slots", slots, 1, MAX_SLOTS);
    concurrency.ifPresent(limit -> Limits.range("concurrency", limit, 1, MAX_SLOTS));
    tenantConcurrency.ifPresent(
        limit -> Limits.range("concurrency of a tenant", limit, 1, MAX_SLOTS));
    Limits.range("lease", lease, MIN_LEASE, MAX_LEASE);
    this.name = name;
    this.slots = slots;
    this.lease = lease;
    this.concurrency = concurrency;
    this.tenantConcurrency = tenantConcurrency;
    this.rate = rate;
    this.isPaused = isPaused;
  }

  public static Queue named(String name) {
    return new Queue(
        name,
        DEFAULT_SLOTS,
        DEFAULT_LEASE,
        OptionalInt.empty(),
        OptionalInt.empty(),
        Optional.empty(),
        () -> false);
  }

  /** Returns the name of the queue. */
  public String name() {
    return name;
  }

  /** Returns how many handlers run at the same time in this process. */
  public int slots() {
    return slots;
  }

  /**
   * Returns how long a claim lasts without a heartbeat: the longest time for which a crashed
   * process blocks a job.
   */
  public Duration lease() {
    return lease;
  }

  /**
   * Returns how many of its jobs run at the same time in all processes together; empty for no
   * limit.
   */
  public OptionalInt concurrency() {
    return concurrency;
  }

  /**
   * Returns how many jobs of each tenant run at the same time in all processes together; empty for
   * no limit.
   */
  public OptionalInt tenantConcurrency() {
    return tenantConcurrency;
  }

  /** Returns how many of its jobs start in a time in all processes together; empty for no limit. */
  public Optional<RateLimit> rate() {
    return rate;
  }

  /** Returns whether only a claim decides which of its jobs may run. */
  boolean isLimited() {
    return concurrency.isPresent() || tenantConcurrency.isPresent() || rate.isPresent();
  }

  /**
   * Returns what is called before each claim, each run, and each job that is enqueued by a process
   * with a free slot for it: while it returns true, such as when the circuit breaker of a called
   * service is open, no job is claimed, and a failed run does not count as an attempt.
   */
  public BooleanSupplier isPaused() {
    return isPaused;
  }

  public Queue withSlots(int slots) {
    return new Queue(name, slots, lease, concurrency, tenantConcurrency, rate, isPaused);
  }

  public Queue withLease(Duration lease) {
    return new Queue(name, slots, lease, concurrency, tenantConcurrency, rate, isPaused);
  }

  public Queue withConcurrency(int limit) {
    return new Queue(name, slots, lease, OptionalInt.of(limit), tenantConcurrency, rate, isPaused);
  }

  public Queue withTenantConcurrency(int limit) {
    return new Queue(name, slots, lease, concurrency, OptionalInt.of(limit), rate, isPaused);
  }

  /** Limits how many jobs start in {@code time}, in all processes together. */
  public Queue withRate(int jobs, Duration time) {
    return new Queue(
        name,
        slots,
        lease,
        concurrency,
        tenantConcurrency,
        Optional.of(new RateLimit(jobs, time)),
        isPaused);
  }

  public Queue pausedWhile(BooleanSupplier isPaused) {
    return new Queue(name, slots, lease, concurrency, tenantConcurrency, rate, isPaused);
  }
}
