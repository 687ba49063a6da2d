package dev.once.jobs;

import dev.once.Fingerprint;
import dev.once.Headers;
import dev.once.spi.Limits;
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

  /** Priorities go from -100 to 100; higher goes first within its tenant. */
  public static final int MAX_PRIORITY = 100;

  public static final int MAX_AGGREGATE_CHARS = 255;

  /** Later ones are most likely seconds taken for something else; databases have their own end. */
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

  /** A job without payload, to be done as soon as somebody has time. */
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
   * What the handler gets. The bytes are shared, not copied: do not change them. Two jobs of one
   * key ask for the same if these bytes are equal, unless a fingerprint says so.
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

  /** The same as UTF-8. */
  public Job withText(String payload) {
    return withPayload(payload.getBytes(StandardCharsets.UTF_8));
  }

  /** What counts as the same request, if it is not the payload's bytes. Set it after those. */
  public Job withFingerprint(Fingerprint fingerprint) {
    return new Job(key, payload, fingerprint, priority, delay, runAt, aggregate, correlation);
  }

  /** Higher goes first, among the jobs of one tenant in one queue. */
  public Job withPriority(int priority) {
    Limits.range("priority", priority, -MAX_PRIORITY, MAX_PRIORITY);
    return new Job(key, payload, fingerprint, priority, delay, runAt, aggregate, correlation);
  }

  /** Not before {@code delay} has passed on the database's clock. */
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

  /** Not before {@code runAt}, by the database's clock. */
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
   * Runs after every earlier job of the same tenant, queue and aggregate is finished. One that
   * fails holds up those behind it, and nobody else; one that is dead does so until it is retried
   * or discarded.
   */
  public Job withAggregate(String aggregate) {
    Limits.text("aggregate", aggregate, 1, MAX_AGGREGATE_CHARS);
    return new Job(
        key, payload, fingerprint, priority, delay, runAt, Optional.of(aggregate), correlation);
  }

  /** Ids that are kept with the job and handed to its handler at every try. */
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

  /** Shows the key's hash and the size alone: payloads stay out of logs. */
  @Override
  public String toString() {
    return "Job[" + key + ", " + payload.length + " bytes]";
  }
}
