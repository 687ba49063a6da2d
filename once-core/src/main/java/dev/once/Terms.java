package dev.once;

import dev.once.spi.Limits;
import java.time.Duration;

/**
 * How long things take and how large they get for one kind of operation. {@link #DEFAULT} suits
 * most; change what differs: {@code Terms.DEFAULT.withLease(Duration.ofMinutes(5))}.
 *
 * @param lease how long a grant lasts without a heartbeat: the longest time a crashed owner blocks
 *     its key
 * @param retention how long a completed outcome is replayed; also how long after its lease a record
 *     without an outcome is kept
 * @param failedRetention how long a failed outcome is replayed
 * @param maxWait how long a duplicate waits for the owner's result before it is told "held"
 * @param recovery what happens after an owner vanished
 * @param maxAttempts how many grants a record gets before a lapsed lease is no longer rerun but
 *     uncertain: an effect that kills its process must not do so for ever
 * @param maxPayloadBytes the largest payload that is kept
 */
public record Terms(
    Duration lease,
    Duration retention,
    Duration failedRetention,
    Duration maxWait,
    Recovery recovery,
    int maxAttempts,
    int maxPayloadBytes) {
  /** Below this a heartbeat could not keep up with an ordinary pause of the garbage collector. */
  public static final Duration MIN_LEASE = Duration.ofMillis(100);

  public static final Duration MAX_LEASE = Duration.ofDays(1);
  public static final Duration MIN_RETENTION = Duration.ofSeconds(1);
  public static final Duration MAX_RETENTION = Duration.ofDays(400);
  public static final Duration MAX_WAIT = Duration.ofMinutes(10);
  public static final int MAX_ATTEMPTS = 10_000;
  public static final int MAX_PAYLOAD_BYTES = 64 << 20;

  public static final Terms DEFAULT =
      new Terms(
          Duration.ofSeconds(30),
          Duration.ofHours(24),
          Duration.ofHours(4),
          Duration.ZERO,
          Recovery.RERUN,
          20,
          1 << 20);

  public Terms {
    Limits.range("lease", lease, MIN_LEASE, MAX_LEASE);
    Limits.range("retention", retention, MIN_RETENTION, MAX_RETENTION);
    Limits.range("retention of failures", failedRetention, MIN_RETENTION, MAX_RETENTION);
    Limits.range("wait", maxWait, Duration.ZERO, MAX_WAIT);
    Limits.range("attempts", maxAttempts, 1, MAX_ATTEMPTS);
    Limits.range("payload limit", maxPayloadBytes, 0, MAX_PAYLOAD_BYTES);
  }

  public Terms withLease(Duration lease) {
    return new Terms(
        lease, retention, failedRetention, maxWait, recovery, maxAttempts, maxPayloadBytes);
  }

  /** How long outcomes are replayed: those of success and those of failure. */
  public Terms withRetention(Duration completed, Duration failed) {
    return new Terms(lease, completed, failed, maxWait, recovery, maxAttempts, maxPayloadBytes);
  }

  public Terms withMaxWait(Duration maxWait) {
    return new Terms(
        lease, retention, failedRetention, maxWait, recovery, maxAttempts, maxPayloadBytes);
  }

  public Terms withRecovery(Recovery recovery) {
    return new Terms(
        lease, retention, failedRetention, maxWait, recovery, maxAttempts, maxPayloadBytes);
  }

  public Terms withMaxAttempts(int maxAttempts) {
    return new Terms(
        lease, retention, failedRetention, maxWait, recovery, maxAttempts, maxPayloadBytes);
  }

  public Terms withMaxPayloadBytes(int maxPayloadBytes) {
    return new Terms(
        lease, retention, failedRetention, maxWait, recovery, maxAttempts, maxPayloadBytes);
  }

  Duration retentionOf(Outcome outcome) {
    return outcome.failed() ? failedRetention : retention;
  }
}
