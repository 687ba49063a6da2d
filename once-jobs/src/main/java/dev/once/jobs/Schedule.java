package dev.once.jobs;

import dev.once.Fingerprint;
import dev.once.Payload;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneId;

/**
 * A recurring job. Every firing enqueues a job whose resource is {@code {name}@{time}}, such as
 * {@code nightly@2026-03-01T02:00:00Z}: one job per time, however many nodes there are. After a
 * time without workers it fires once, for the latest time that was missed.
 *
 * <p>In a zone with clock changes: if the hour is a star ({@code 15 * * * *}), it fires whenever
 * the local time matches, also in the hour that is repeated. If hours are named ({@code 30 2 * *
 * *}), every matching local time fires once: one that the clocks skip fires at the change, one that
 * is repeated fires the first time. Immutable.
 */
public final class Schedule {
  /** How many schedules a tenant may have. */
  public static final int MAX_PER_TENANT = 10_000;

  public static final int MAX_CRON_CHARS = 255;

  private final String tenant;
  private final String name;
  private final String cron;
  private final ZoneId zone;
  private final String queue;
  private final String type;
  private final Payload.Bytes payload;

  private Schedule(
      String tenant,
      String name,
      String cron,
      ZoneId zone,
      String queue,
      String type,
      Payload.Bytes payload) {
    JobKey.requireName("schedule", name);
    if (cron.length() > MAX_CRON_CHARS) {
      throw new IllegalArgumentException(
          "cron must have at most %d characters, got %d".formatted(MAX_CRON_CHARS, cron.length()));
    }
    Cron.parse(cron, zone);
    Job.of(key(tenant, queue, type, name, Instant.EPOCH)).withPayload(payload.toArray());
    this.tenant = tenant;
    this.name = name;
    this.cron = cron;
    this.zone = zone;
    this.queue = queue;
    this.type = type;
    this.payload = payload;
  }

  /** A schedule whose jobs have no payload. */
  public static Schedule of(
      String tenant, String name, String cron, ZoneId zone, String queue, String type) {
    return new Schedule(tenant, name, cron, zone, queue, type, Payload.of(new byte[0]));
  }

  /** Returns the tenant of its jobs. */
  public String tenant() {
    return tenant;
  }

  /** Returns the name, unique within the tenant. */
  public String name() {
    return name;
  }

  /**
   * Returns the times at which it fires: minute, hour, day of month, month and day of week, as in
   * crontab, or {@literal @hourly}, {@literal @daily}, {@literal @weekly}, {@literal @monthly} or
   * {@literal @yearly}: {@code *}, lists, ranges, steps, and names of months and days; if both days
   * are given, either one matches.
   */
  public String cron() {
    return cron;
  }

  /** Returns the time zone of {@code cron}. */
  public ZoneId zone() {
    return zone;
  }

  /** Returns the queue of its jobs. */
  public String queue() {
    return queue;
  }

  /** Returns the kind of work, by which the handler is chosen. */
  public String type() {
    return type;
  }

  /** Returns the payload of every job. */
  public Payload.Bytes payload() {
    return payload;
  }

  /** Sets the payload. The bytes are shared, not copied: do not change them. */
  public Schedule withPayload(byte[] payload) {
    return new Schedule(tenant, name, cron, zone, queue, type, Payload.of(payload));
  }

  /** Sets the payload, as UTF-8. */
  public Schedule withText(String payload) {
    return withPayload(payload.getBytes(StandardCharsets.UTF_8));
  }

  /** Shows no payload: payloads stay out of logs. */
  @Override
  public String toString() {
    return "schedule " + name + " of " + tenant;
  }

  /** Returns the key of the job that one firing enqueues. */
  static JobKey key(String tenant, String queue, String type, String name, Instant firedAt) {
    return new JobKey(tenant, queue, type, name + "@" + firedAt);
  }

  Fingerprint fingerprint() {
    return Fingerprint.sha256(payload.toArray());
  }
}
