package dev.once;

import dev.once.internal.Limits;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Times and limits for one kind of operation. {@link #DEFAULT} suits most; change what differs:
 * {@code Terms.DEFAULT.withLease(Duration.ofMinutes(5))}. Immutable.
 */
public final class Terms {
  /** Below this a heartbeat could not keep up with an ordinary pause of the garbage collector. */
  public static final Duration MIN_LEASE = Duration.ofMillis(100);

  public static final Duration MAX_LEASE = Duration.ofDays(1);
  public static final Duration MIN_RETENTION = Duration.ofSeconds(1);
  public static final Duration MAX_RETENTION = Duration.ofDays(400);

  /**
   * A record that asks before it is rerun is kept for this long at least, unless it gets an
   * outcome: while it is not known whether an effect happened, its key must not become free.
   */
  public static final Duration MIN_UNDECIDED_RETENTION = Duration.ofDays(30);

  public static final Duration MAX_WAIT = Duration.ofMinutes(10);
  public static final int MAX_ATTEMPTS = 10_000;
  public static final int MAX_PAYLOAD_BYTES = 64 << 20;
  public static final Duration MAX_RUN_TIME = Duration.ofDays(30);
  public static final Duration MAX_COMPLETION_TIME = Duration.ofMinutes(10);

  public static final Terms DEFAULT =
      new Terms(
          Duration.ofSeconds(30),
          Duration.ofHours(24),
          Duration.ofHours(4),
          Duration.ZERO,
          Recovery.RERUN,
          20,
          1 << 20,
          Duration.ofHours(1),
          Duration.ofSeconds(30));

  private final Duration lease;
  private final Duration retention;
  private final Duration failedRetention;
  private final Duration maxWait;
  private final Recovery recovery;
  private final int maxAttempts;
  private final int maxPayloadBytes;
  private final Duration maxRunTime;
  private final Duration maxCompletionTime;

  private Terms(
      Duration lease,
      Duration retention,
      Duration failedRetention,
      Duration maxWait,
      Recovery recovery,
      int maxAttempts,
      int maxPayloadBytes,
      Duration maxRunTime,
      Duration maxCompletionTime) {
    Limits.range("lease", lease, MIN_LEASE, MAX_LEASE);
    Limits.range("retention", retention, MIN_RETENTION, MAX_RETENTION);
    Limits.range("retention of failures", failedRetention, MIN_RETENTION, MAX_RETENTION);
    Limits.range("wait", maxWait, Duration.ZERO, MAX_WAIT);
    Limits.range("attempts", maxAttempts, 1, MAX_ATTEMPTS);
    Limits.range("payload limit", maxPayloadBytes, 0, MAX_PAYLOAD_BYTES);
    Limits.range("maximum run time", maxRunTime, MIN_LEASE, MAX_RUN_TIME);
    Limits.range("maximum completion time", maxCompletionTime, Duration.ZERO, MAX_COMPLETION_TIME);
    this.lease = lease;
    this.retention = retention;
    this.failedRetention = failedRetention;
    this.maxWait = maxWait;
    this.recovery = recovery;
    this.maxAttempts = maxAttempts;
    this.maxPayloadBytes = maxPayloadBytes;
    this.maxRunTime = maxRunTime;
    this.maxCompletionTime = maxCompletionTime;
  }

  /**
   * Returns how long a grant lasts without a heartbeat: the longest time a crashed owner blocks its
   * key.
   */
  public Duration lease() {
    return lease;
  }

  /**
   * Returns how long a completed outcome is replayed. A record without an outcome is kept for as
   * long after its lease, and for {@link #MIN_UNDECIDED_RETENTION} at least under {@link
   * Recovery#ASK}.
   */
  public Duration retention() {
    return retention;
  }

  /** Returns how long a failed outcome is replayed. */
  public Duration failedRetention() {
    return failedRetention;
  }

  /** Returns how long a duplicate waits for the owner's result before the answer is "held". */
  public Duration maxWait() {
    return maxWait;
  }

  /** Returns what happens after a lease ran out without an outcome. */
  public Recovery recovery() {
    return recovery;
  }

  /**
   * Returns how many grants a record gets before a lapsed lease is no longer rerun but uncertain:
   * an effect that kills its process must not do so for ever.
   */
  public int maxAttempts() {
    return maxAttempts;
  }

  /** Returns the largest payload that is kept. */
  public int maxPayloadBytes() {
    return maxPayloadBytes;
  }

  /**
   * Returns how long an effect may run: its lease is not renewed beyond that, and its thread is
   * interrupted, so that an effect that hangs does not hold its key for ever.
   */
  public Duration maxRunTime() {
    return maxRunTime;
  }

  /**
   * Returns how long the engine keeps trying to record the outcome of an effect, at most until its
   * lease ends: a shorter outage of the store costs nothing but time.
   */
  public Duration maxCompletionTime() {
    return maxCompletionTime;
  }

  public Terms withLease(Duration lease) {
    return with(lease, retention, failedRetention, maxWait, recovery, maxAttempts);
  }

  /** How long outcomes are replayed: of successes and of failures. */
  public Terms withRetention(Duration completed, Duration failed) {
    return with(lease, completed, failed, maxWait, recovery, maxAttempts);
  }

  public Terms withMaxWait(Duration maxWait) {
    return with(lease, retention, failedRetention, maxWait, recovery, maxAttempts);
  }

  public Terms withRecovery(Recovery recovery) {
    return with(lease, retention, failedRetention, maxWait, recovery, maxAttempts);
  }

  public Terms withMaxAttempts(int maxAttempts) {
    return with(lease, retention, failedRetention, maxWait, recovery, maxAttempts);
  }

  public Terms withMaxPayloadBytes(int maxPayloadBytes) {
    return withEffect(maxPayloadBytes, maxRunTime, maxCompletionTime);
  }

  public Terms withMaxRunTime(Duration maxRunTime) {
    return withEffect(maxPayloadBytes, maxRunTime, maxCompletionTime);
  }

  public Terms withMaxCompletionTime(Duration maxCompletionTime) {
    return withEffect(maxPayloadBytes, maxRunTime, maxCompletionTime);
  }

  Duration retentionOf(Outcome outcome) {
    return outcome.failed() ? failedRetention : retention;
  }

  private Terms with(
      Duration lease,
      Duration retention,
      Duration failedRetention,
      Duration maxWait,
      Recovery recovery,
      int maxAttempts) {
    return new Terms(
        lease,
        retention,
        failedRetention,
        maxWait,
        recovery,
        maxAttempts,
        maxPayloadBytes,
        maxRunTime,
        maxCompletionTime);
  }

  private Terms withEffect(int maxPayloadBytes, Duration maxRunTime, Duration maxCompletionTime) {
    return new Terms(
        lease,
        retention,
        failedRetention,
        maxWait,
        recovery,
        maxAttempts,
        maxPayloadBytes,
        maxRunTime,
        maxCompletionTime);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Terms it && values().equals(it.values());
  }

  @Override
  public int hashCode() {
    return values().hashCode();
  }

  @Override
  public String toString() {
    return "Terms" + values();
  }

  private List<Object> values() {
    return List.of(
        lease,
        retention,
        failedRetention,
        maxWait,
        recovery,
        maxAttempts,
        maxPayloadBytes,
        maxRunTime,
        maxCompletionTime);
  }
}
