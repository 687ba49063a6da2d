package dev.once.jobs;

import dev.once.Headers;
import dev.once.jobs.UpcomingStatement.Upcoming;
import java.time.Instant;
import java.time.ZoneId;

/**
 * One firing of a schedule.
 *
 * @param firedAt the time for which it fires: the latest one that has passed
 * @param nextAt the time of the next firing
 */
record ScheduleFiring(Upcoming schedule, Instant firedAt, Instant nextAt) {
  private static final String CORRELATION = "X-Correlation-ID";

  /**
   * Returns the firing of a schedule that is due.
   *
   * @throws RuntimeException if this release cannot parse the schedule
   */
  static ScheduleFiring of(Upcoming due) {
    Cron cron = Cron.parse(due.cron(), ZoneId.of(due.zone()));
    return new ScheduleFiring(due, cron.latest(due.nextAt(), due.now()), cron.after(due.now()));
  }

  JobKey key() {
    return Schedule.key(
        schedule.tenant(), schedule.queue(), schedule.type(), schedule.name(), firedAt);
  }

  /** Returns an id of the firing itself, because there is no request to trace its jobs to. */
  Headers correlation() {
    return Headers.NONE.with(CORRELATION, schedule.name() + "@" + firedAt);
  }
}
