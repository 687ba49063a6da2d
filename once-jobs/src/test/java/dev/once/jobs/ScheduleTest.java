package dev.once.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.ZoneId;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Storing schedules. */
class ScheduleTest {
  @RegisterExtension static final JobDatabase DATABASE = new JobDatabase("schedule");
  private static final Jobs JOBS = DATABASE.jobs();
  private static final Schedule NIGHTLY =
      Schedule.of("acme", "nightly", "0 3 * * *", ZoneOffset.UTC, "reports", "daily-report")
          .withText("all");

  @Test
  void isShownWithTheTimeItFiresNext() {
    JOBS.schedule(NIGHTLY);

    ScheduleView it = JOBS.schedules("acme").get(0);

    assertThat(it.name()).isEqualTo("nightly");
    assertThat(it.cron()).isEqualTo("0 3 * * *");
    assertThat(it.zone()).isEqualTo("Z");
    assertThat(it.queue()).isEqualTo("reports");
    assertThat(it.type()).isEqualTo("daily-report");
    assertThat(it.payloadBytes()).isEqualTo(3);
    assertThat(it.nextAt().atZone(ZoneOffset.UTC).getHour()).isEqualTo(3);
    assertThat(it.lastAt()).isEmpty();
  }

  @Test
  void staysAsItIsWhenItIsScheduledAgainUnchanged() {
    JOBS.schedule(NIGHTLY);
    DATABASE.execute("UPDATE once_job_schedule SET next_at = '2020-01-01Z', version = 5");

    JOBS.schedule(NIGHTLY);

    assertThat(rows()).isEqualTo("(2020-01-01 00:00:00,5)");
  }

  @Test
  void startsOverFromNowWhenItsCronOrZoneChanged() {
    JOBS.schedule(NIGHTLY);
    DATABASE.execute("UPDATE once_job_schedule SET next_at = '2020-01-01Z', version = 5");

    JOBS.schedule(
        Schedule.of("acme", "nightly", "0 3 * * *", ZoneId.of("Europe/Berlin"), "a", "b"));

    assertThat(rows()).doesNotContain("2020-01-01").endsWith(",6)");
  }

  @Test
  void keepsItsTimeWhenOnlyItsJobChanged() {
    JOBS.schedule(NIGHTLY);
    DATABASE.execute("UPDATE once_job_schedule SET next_at = '2020-01-01Z', version = 5");

    JOBS.schedule(NIGHTLY.withText("some"));

    assertThat(rows()).isEqualTo("(2020-01-01 00:00:00,6)");
    assertThat(DATABASE.query("SELECT convert_from(payload, 'UTF8') FROM once_job_schedule"))
        .containsExactly("some");
  }

  @Test
  void isGoneWhenItIsUnscheduledByItsOwnTenant() {
    JOBS.schedule(NIGHTLY);

    assertThat(JOBS.unschedule("other", "nightly")).isFalse();
    assertThat(JOBS.unschedule("acme", "nightly")).isTrue();
    assertThat(JOBS.unschedule("acme", "nightly")).isFalse();
    assertThat(JOBS.schedules("acme")).isEmpty();
  }

  @Test
  void isNotShownToAnotherTenant() {
    JOBS.schedule(NIGHTLY);

    assertThat(JOBS.schedules("other")).isEmpty();
  }

  @Test
  void isRefusedIfTheTenantHasTooMany() {
    DATABASE.execute(
        """
        INSERT INTO once_job_schedule
        SELECT 'acme', 'n' || n, '* * * * *', 'Z', 'q', 't', '', NULL, 'none:', 0, 'infinity', NULL
        FROM generate_series(1, %d) n
        """
            .formatted(Schedule.MAX_PER_TENANT - 1));
    JOBS.schedule(NIGHTLY);
    JOBS.schedule(NIGHTLY.withText("changed"));

    Schedule more = Schedule.of("acme", "more", "0 3 * * *", ZoneOffset.UTC, "q", "t");

    assertThatThrownBy(() -> JOBS.schedule(more))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "tenant acme has 10000 schedules, and may not have more: remove one with unschedule");
    assertThat(JOBS.unschedule("acme", "more")).isFalse();
  }

  @Test
  void hidesItsPayloadFromLogs() {
    assertThat(NIGHTLY.withText("secret").toString()).doesNotContain("secret");
  }

  private static String rows() {
    return String.join(
        "",
        DATABASE.query(
            "SELECT format('(%s,%s)', next_at AT TIME ZONE 'UTC', version)"
                + " FROM once_job_schedule"));
  }
}
