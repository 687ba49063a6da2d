package dev.once.jobs;

import dev.once.Fingerprint;
import dev.once.Headers;
import dev.once.internal.Limits;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A piece of work to be done later. Immutable; change what differs from the default: {@code
 * Job.of(key).withText(order).withDelay(Duration.ofMinutes(5))}.
 */
public final class Job {
  public static final int MAX_PAYLOAD_BYTES = 1 << 20;
  public static final Duration MAX_DELAY = Duration.ofDays(400);

  /** Priorities range from -100 to 100; a higher one is claimed first within its tenant. */
  public static final int MAX_PRIORITY = 100;

  public static final int MAX_AGGREGATE_CHARS = 255;

  /**
   * A later time is most likely in another unit than seconds; databases have limits of their own.
   */
  private static final Instant LAST_RUN_AT = Instant.parse("9999-12-31T23:59:59Z");

  private static final byte[] NOTHING = {};
  private static final Fingerprint FINGERPRINT_OF_NOTHING = Fingerprint.sha256(NOTHING);

  private final JobKey key;
  private final byte[] payload;
  private final Fingerprint fingerprint;
  private final int priority;
  private final Duration delay;
  private final Optional<Instant> runAt;
  private final Optional<String> aggregate;
  private final Headers correlation;

  private Job(
      JobKey key,
      byte[] payload,
      Fingerprint fingerprint,
      int priority,
      Duration delay,
      Optional<Instant> runAt,
      Optional<String> aggregate,
      Headers correlation) {
    this.key = key;
    this.payload = payload;
    this.fingerprint = fingerprint;
    this.priority = priority;
    this.delay = delay;
    this.runAt = runAt;
    this.aggregate = aggregate;
    this.correlation = correlation;
  }

  /** Returns a job without payload that is due immediately. */
  public static Job of(JobKey key) {
    return new Job(
        key,
        NOTHING,
        FINGERPRINT_OF_NOTHING,
        0,
        Duration.ZERO,
        Optional.empty(),
        Optional.empty(),
        Headers.NONE);
  }

  /**
   * Sets what the handler receives. The bytes are shared, not copied: do not change them. Two jobs
   * with one key are the same request if these bytes are equal, unless a fingerprint is set.
   */
  public Job withPayload(byte[] payload) {
    if (payload.length > MAX_PAYLOAD_BYTES) {
      throw new IllegalArgumentException(
          "payload must have at most %d bytes, got %d: keep it elsewhere and enqueue its name"
              .formatted(MAX_PAYLOAD_BYTES, payload.length));
    }
    return new Job(
        key, payload, Fingerprint.sha256(payload), priority, delay, runAt, aggregate, correlation);
  }

  /** Sets the payload, as UTF-8. */
  public Job withText(String payload) {
    return withPayload(payload.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Sets what identifies the same request, if it is not the payload's bytes. Call it after {@link
   * #withPayload}, which replaces the fingerprint.
   */
  public Job withFingerprint(Fingerprint fingerprint) {
    return new Job(key, payload, fingerprint, priority, delay, runAt, aggregate, correlation);
  }

  /** Sets the priority: higher is claimed first, among the jobs of one tenant in one queue. */
  public Job withPriority(int priority) {
    Limits.range("priority", priority, -MAX_PRIORITY, MAX_PRIORITY);
    return new Job(key, payload, fingerprint, priority, delay, runAt, aggregate, correlation);
  }

  /** Returns whether it is due when it is enqueued; a given time may have passed already. */
  boolean isDue() {
    return delay.isZero() && runAt.isEmpty();
  }

  /** Returns how long it is until it is due, by the clock of this process. */
  Duration dueIn() {
    return runAt.map(it -> Duration.between(Instant.now(), it)).orElse(delay);
  }

  /** Makes the job due after {@code delay}, by the database's clock. */
  public Job withDelay(Duration delay) {
    return new Job(
        key,
        payload,
        fingerprint,
        priority,
        requireDelay(delay),
        Optional.empty(),
        aggregate,
        correlation);
  }

  /** Makes the job due at {@code runAt}, by the database's clock. */
  public Job withRunAt(Instant runAt) {
    if (runAt.isBefore(Instant.EPOCH) || runAt.isAfter(LAST_RUN_AT)) {
      throw new IllegalArgumentException(
          "time to run must be %s to %s, got %s".formatted(Instant.EPOCH, LAST_RUN_AT, runAt));
    }
    return new Job(
        key,
        payload,
        fingerprint,
        priority,
        Duration.ZERO,
        Optional.of(runAt),
        aggregate,
        correlation);
  }

  /**
   * Runs the job after every earlier job of the same tenant, queue and aggregate is finished. A job
   * that fails blocks only the jobs behind it; a dead letter blocks them until it is discarded, or
   * retried and completed.
   */
  public Job withAggregate(String aggregate) {
    Limits.text("aggregate", aggregate, 1, MAX_AGGREGATE_CHARS);
    return new Job(
        key, payload, fingerprint, priority, delay, runAt, Optional.of(aggregate), correlation);
  }

  /** Sets ids that are stored with the job and passed to its handler in every attempt. */
  public Job withCorrelation(Headers correlation) {
    return new Job(key, payload, fingerprint, priority, delay, runAt, aggregate, correlation);
  }

  static Duration requireDelay(Duration delay) {
    Limits.range("delay", delay, Duration.ZERO, MAX_DELAY);
    return delay;
  }

  public JobKey key() {
    return key;
  }

  byte[] payload() {
    return payload;
  }

  Fingerprint fingerprint() {
    return fingerprint;
  }

  int priority() {
    return priority;
  }

  Duration delay() {
    return delay;
  }

  Optional<Instant> runAt() {
    return runAt;
  }

  Optional<String> aggregate() {
    return aggregate;
  }

  Headers correlation() {
    return correlation;
  }

  /** Shows only the key's hash and the size: payloads stay out of logs. */
  @Override
  public String toString() {
    return "Job[" + key + ", " + payload.length + " bytes]";
  }
}
