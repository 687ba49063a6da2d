package dev.once.jobs;

import dev.once.Headers;
import dev.once.jobs.UpcomingStatement.Upcoming;
import java.time.Instant;
import java.time.ZoneId;

/**
 * One time that a schedule fires.
 *
 * @param firedAt the time for which it fires: the latest one that has come
 * @param nextAt when it fires after that
 */
record ScheduleFiring(Upcoming schedule, Instant firedAt, Instant nextAt) {
  private static final String CORRELATION = "X-Correlation-ID";

  /**
   * What is to be done for a schedule that is due.
   *
   * @throws RuntimeException if it is none that this release understands
   */
  static ScheduleFiring of(Upcoming due) {
    Cron cron = Cron.parse(due.cron(), ZoneId.of(due.zone()));
    return new ScheduleFiring(due, cron.latest(due.nextAt(), due.now()), cron.after(due.now()));
  }

  JobKey key() {
    return Schedule.key(
        schedule.tenant(), schedule.queue(), schedule.type(), schedule.name(), firedAt);
  }

  /** Nobody asked for it, so the firing itself is what everything that follows is traced to. */
  Headers correlation() {
    return Headers.NONE.with(CORRELATION, schedule.name() + "@" + firedAt);
  }
}
