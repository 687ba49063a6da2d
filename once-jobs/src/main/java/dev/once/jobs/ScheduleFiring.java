package dev.once.jobs;

import dev.once.Headers;
import dev.once.internal.JobPayload;
import dev.once.jobs.UpcomingStatement.Upcoming;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;

/**
 * One firing of a schedule.
 *
 * @param firedAt the time for which it fires: the latest one that has passed
 * @param nextAt the time of the next firing
 * @param sealed the payload of its job, if the schedule's is sealed; the payload is copied
 *     otherwise
 */
record ScheduleFiring(
    Upcoming schedule, Instant firedAt, Instant nextAt, Optional<JobPayload> sealed) {
  private static final String CORRELATION = "X-Correlation-ID";

  /**
   * Returns the firing of a schedule that is due.
   *
   * @throws RuntimeException if this release cannot parse the schedule, or its payload is sealed
   *     and cannot be opened
   */
  static ScheduleFiring of(Upcoming due, PayloadProtection protection) {
    Cron cron = Cron.parse(due.cron(), ZoneId.of(due.zone()));
    Instant firedAt = cron.latest(due.nextAt(), due.now());
    JobKey key = keyOf(due, firedAt);
    return new ScheduleFiring(
        due,
        firedAt,
        cron.after(due.now()),
        due.sealed().map(it -> protection.reseal(due.name(), key, it)));
  }

  JobKey key() {
    return keyOf(schedule, firedAt);
  }

  private static JobKey keyOf(Upcoming it, Instant firedAt) {
    return Schedule.key(it.tenant(), it.queue(), it.type(), it.name(), firedAt);
  }

  /** Returns an id of the firing itself, because there is no request to trace its jobs to. */
  Headers correlation() {
    return Headers.NONE.with(CORRELATION, schedule.name() + "@" + firedAt);
  }
}
