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
 * is repeated fires the first time.
 *
 * @param tenant the tenant of its jobs
 * @param name unique within the tenant
 * @param cron minute, hour, day of month, month and day of week, as in crontab: {@code *}, lists,
 *     ranges, steps, and names of months and days; if both days are given, either one matches
 * @param zone the time zone of {@code cron}
 * @param queue the queue of its jobs
 * @param type the kind of work, by which the handler is chosen
 * @param payload the payload of every job
 */
public record Schedule(
    String tenant,
    String name,
    String cron,
    ZoneId zone,
    String queue,
    String type,
    Payload.Bytes payload) {
  /** How many schedules a tenant may have. */
  public static final int MAX_PER_TENANT = 10_000;

  public static final int MAX_CRON_CHARS = 255;

  public Schedule {
    JobKey.requireName("schedule", name);
    if (cron.length() > MAX_CRON_CHARS) {
      throw new IllegalArgumentException(
          "cron must have at most %d characters, got %d".formatted(MAX_CRON_CHARS, cron.length()));
    }
    Cron.parse(cron, zone);
    Job.of(key(tenant, queue, type, name, Instant.EPOCH)).withPayload(payload.toArray());
  }

  /** A schedule whose jobs have no payload. */
  public static Schedule of(
      String tenant, String name, String cron, ZoneId zone, String queue, String type) {
    return new Schedule(tenant, name, cron, zone, queue, type, Payload.of(new byte[0]));
  }

  /** Sets the payload. The bytes are shared, not copied: do not change them. */
  public Schedule withPayload(byte[] payload) {
    return new Schedule(tenant, name, cron, zone, queue, type, Payload.of(payload));
  }

  /** Sets the payload, as UTF-8. */
  public Schedule withText(String payload) {
    return withPayload(payload.getBytes(StandardCharsets.UTF_8));
  }

  /** Returns the key of the job that one firing enqueues. */
  static JobKey key(String tenant, String queue, String type, String name, Instant firedAt) {
    return new JobKey(tenant, queue, type, name + "@" + firedAt);
  }

  Fingerprint fingerprint() {
    return Fingerprint.sha256(payload.toArray());
  }
}
