package dev.once.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Firing of schedules that are due. */
class ScheduleFiringTest {
  private static final Duration LOOK_AHEAD = Duration.ofHours(1);
  @RegisterExtension static final JobDatabase DATABASE = new JobDatabase("firing");
  private static final List<JobEvent> EVENTS = new ArrayList<>();
  private static final Jobs JOBS =
      Jobs.builder(DATABASE.dataSource()).listener(EVENTS::add).withoutNotify().build();

  @BeforeEach
  void empty() {
    EVENTS.clear();
  }

  @AfterAll
  static void close() {
    JOBS.close();
  }

  @Test
  void enqueuesTheJobNamedAfterTheTime() {
    JOBS.schedule(hourly("report"));
    dueSince("date_trunc('hour', clock_timestamp())");

    JOBS.schedules().fire(LOOK_AHEAD);

    Instant fired = only().lastAt().orElseThrow();
    JobKey key = new JobKey("acme", "reports", "make", "report@" + fired);
    assertThat(JOBS.find(key).orElseThrow().state()).isEqualTo(JobState.READY);
    assertThat(
            DATABASE.query(
                "SELECT convert_from(payload, 'UTF8') || '; ' || correlation FROM once_job"))
        .containsExactly("all; X-Correlation-ID: report@" + fired + "\n");
    assertThat(EVENTS).singleElement().isInstanceOf(JobEvent.Added.class);
  }

  @Test
  void firesOnceForTheLatestTimeAfterADowntime() {
    JOBS.schedule(hourly("report"));
    dueSince("date_trunc('hour', clock_timestamp()) - interval '5 days'");

    JOBS.schedules().fire(LOOK_AHEAD);
    JOBS.schedules().fire(LOOK_AHEAD);

    assertThat(DATABASE.query("SELECT key FROM once_job")).hasSize(1);
    Instant fired = only().lastAt().orElseThrow();
    assertThat(fired).isEqualTo(fired.truncatedTo(ChronoUnit.HOURS));
    assertThat(only().nextAt()).isEqualTo(fired.plus(Duration.ofHours(1)));
  }

  @Test
  void doesNotFireBeforeItsTime() {
    JOBS.schedule(hourly("report"));
    dueSince("clock_timestamp() + interval '10 minutes'");

    Duration next = JOBS.schedules().fire(LOOK_AHEAD);

    assertThat(next).isBetween(Duration.ofMinutes(9), Duration.ofMinutes(10));
    assertThat(DATABASE.query("SELECT key FROM once_job")).isEmpty();
  }

  @Test
  void returnsWhenToLookAgainAfterItFired() {
    Schedule everyMinute =
        Schedule.of("acme", "tick", "* * * * *", ZoneOffset.UTC, "reports", "make");
    JOBS.schedule(everyMinute);
    dueSince("date_trunc('minute', clock_timestamp())");

    assertThat(JOBS.schedules().fire(LOOK_AHEAD)).isLessThanOrEqualTo(Duration.ofMinutes(1));
  }

  @Test
  void joinsAJobThatWasEnqueuedForTheSameTime() {
    JOBS.schedule(hourly("report"));
    dueSince("date_trunc('hour', clock_timestamp())");
    JOBS.schedules().fire(LOOK_AHEAD);
    DATABASE.execute("UPDATE once_job_schedule SET next_at = last_at");

    JOBS.schedules().fire(LOOK_AHEAD);

    assertThat(DATABASE.query("SELECT key FROM once_job")).hasSize(1);
    assertThat(EVENTS.get(1)).isInstanceOf(JobEvent.Joined.class);
  }

  @Test
  void firesTheOthersIfOneCannotBeRead() {
    JOBS.schedule(hourly("broken"));
    JOBS.schedule(hourly("report"));
    dueSince("date_trunc('hour', clock_timestamp())");
    DATABASE.execute("UPDATE once_job_schedule SET zone = 'Mars/Base' WHERE name = 'broken'");

    Duration next = JOBS.schedules().fire(LOOK_AHEAD);

    assertThat(DATABASE.query("SELECT key FROM once_job")).hasSize(1);
    assertThat(EVENTS).first().isInstanceOf(JobEvent.Trouble.class);
    assertThat(next).as("no busy wait for the broken one").isPositive();
  }

  @Test
  void firesMoreThanFitInOneLook() {
    for (int i = 0; i <= UpcomingStatement.LIMIT; i++) {
      JOBS.schedule(hourly("report-" + i));
    }
    dueSince("date_trunc('hour', clock_timestamp())");

    assertThat(JOBS.schedules().fire(LOOK_AHEAD)).isZero();
    assertThat(JOBS.schedules().fire(LOOK_AHEAD)).isPositive();

    assertThat(DATABASE.query("SELECT key FROM once_job")).hasSize(UpcomingStatement.LIMIT + 1);
  }

  private static Schedule hourly(String name) {
    return Schedule.of("acme", name, "0 * * * *", ZoneOffset.UTC, "reports", "make")
        .withText("all");
  }

  private static void dueSince(String time) {
    DATABASE.execute("UPDATE once_job_schedule SET next_at = " + time);
  }

  private static ScheduleView only() {
    return JOBS.schedules("acme").get(0);
  }
}
