package dev.once.jobs;

import dev.once.Fingerprint;
import dev.once.Payload;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneId;

/**
 * A job that comes again and again. Every firing enqueues the job whose resource is {@code
 * {name}@{time}}, such as {@code nightly@2026-03-01T02:00:00Z}: one job per time, however many
 * nodes there are. After a time without workers it fires once, for the latest time that was missed.
 *
 * <p>In a zone whose clocks change: if every hour is meant ({@code 15 * * * *}), it fires whenever
 * the clock on the wall fits, also in the hour that comes twice. If hours are named ({@code 30 2 *
 * * *}), every time on the wall counts once: one that the clocks skip fires when they have skipped
 * it, one that comes twice fires the first time.
 *
 * @param tenant whose it is
 * @param name names it within the tenant
 * @param cron minute, hour, day of month, month and day of week, as in crontab: {@code *}, lists,
 *     ranges, steps, and names of months and days; if both days are given, either counts
 * @param zone whose clocks are meant
 * @param queue where its jobs stand in line
 * @param type what is to be done, which is what a handler is chosen by
 * @param payload what the handler gets, the same every time
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

  /** The bytes are shared, not copied: do not change them. */
  public Schedule withPayload(byte[] payload) {
    return new Schedule(tenant, name, cron, zone, queue, type, Payload.of(payload));
  }

  /** The same as UTF-8. */
  public Schedule withText(String payload) {
    return withPayload(payload.getBytes(StandardCharsets.UTF_8));
  }

  /** The key of the job that is enqueued for one firing. */
  static JobKey key(String tenant, String queue, String type, String name, Instant firedAt) {
    return new JobKey(tenant, queue, type, name + "@" + firedAt);
  }

  Fingerprint fingerprint() {
    return Fingerprint.sha256(payload.toArray());
  }
}
