package dev.once.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Firing times of schedules in a night with a clock change. */
class CronClockChangeTest {
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

  @Test
  void firesWhenTheClocksHaveSkippedATimeOfANamedHour() {
    Cron cron = Cron.parse("30 2 * * *", BERLIN); // From 02:00 to 03:00 on 29 March 2026.

    assertThat(times(cron, "2026-03-28T12:00:00Z", 2))
        .containsExactly("2026-03-29T01:00:00Z", "2026-03-30T00:30:00Z");
  }

  @Test
  void firesOnceIfTheClocksSkipSeveralTimesOfANamedHour() {
    Cron cron = Cron.parse("*/10 2 * * *", BERLIN);

    assertThat(times(cron, "2026-03-28T12:00:00Z", 2))
        .containsExactly("2026-03-29T01:00:00Z", "2026-03-30T00:00:00Z");
  }

  @Test
  void firesTheFirstTimeOnlyInANamedHourThatComesTwice() {
    Cron cron = Cron.parse("30 2 * * *", BERLIN); // From 03:00 to 02:00 on 25 October 2026.

    assertThat(times(cron, "2026-10-24T12:00:00Z", 2))
        .containsExactly("2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z");
    assertThat(times(cron, "2026-10-25T01:10:00Z", 1))
        .as("from within the repeated hour")
        .containsExactly("2026-10-26T01:30:00Z");
  }

  @Test
  void goesByTimeThatPassesIfEveryHourIsMeant() {
    Cron cron = Cron.parse("30 * * * *", BERLIN);

    assertThat(times(cron, "2026-03-29T00:00:00Z", 3))
        .containsExactly("2026-03-29T00:30:00Z", "2026-03-29T01:30:00Z", "2026-03-29T02:30:00Z");
    assertThat(times(cron, "2026-10-25T00:00:00Z", 3))
        .containsExactly("2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z", "2026-10-25T02:30:00Z");
  }

  @ParameterizedTest
  @CsvSource({
    "Europe/Berlin,       2026-03-29T01:00:00Z",
    "Europe/Berlin,       2026-10-25T01:00:00Z",
    "America/New_York,    2026-03-08T07:00:00Z",
    "America/New_York,    2026-11-01T06:00:00Z",
    "Australia/Lord_Howe, 2026-04-04T15:00:00Z",
    "Australia/Lord_Howe, 2026-10-03T15:30:00Z",
    "America/Sao_Paulo,   2018-11-04T03:00:00Z",
    "Pacific/Apia,        2011-12-30T10:00:00Z",
  })
  void firesExactlyAtTheTimesThatTheRuleGives(ZoneId zone, Instant change) {
    Instant start = change.minus(Duration.ofHours(40));
    Instant end = change.plus(Duration.ofHours(40));
    for (String minutes : List.of("0", "15", "*/20")) {
      for (String hours : List.of("*", "0", "1", "2", "3", "*/2", "0-23")) {
        Cron cron = Cron.parse(minutes + " " + hours + " * * *", zone);
        List<Instant> fired = new ArrayList<>();
        for (Instant it = cron.after(start); !it.isAfter(end); it = cron.after(it)) {
          fired.add(it);
        }

        assertThat(fired)
            .as("%s %s", minutes, hours)
            .containsExactlyElementsOf(expected(minutes, hours, zone, start, end));
      }
    }
  }

  /** Checks every minute, of elapsed time or of local time. */
  private static Set<Instant> expected(
      String minutes, String hours, ZoneId zone, Instant start, Instant end) {
    TreeSet<Instant> times = new TreeSet<>();
    Duration margin = Duration.ofDays(2);
    for (Instant it = start.minus(margin);
        it.isBefore(end.plus(margin));
        it = it.plus(Duration.ofMinutes(1))) {
      LocalDateTime wall = LocalDateTime.ofInstant(it, hours.equals("*") ? zone : ZoneOffset.UTC);
      if (fits(minutes, wall.getMinute()) && fits(hours, wall.getHour())) {
        times.add(hours.equals("*") ? it : instantOf(wall, zone));
      }
    }
    return times.subSet(start, false, end, true);
  }

  private static boolean fits(String field, int value) {
    if (field.startsWith("*/")) {
      return value % Integer.parseInt(field.substring(2)) == 0;
    }
    return field.equals("*") || field.equals("0-23") || field.equals(String.valueOf(value));
  }

  private static Instant instantOf(LocalDateTime wall, ZoneId zone) {
    List<ZoneOffset> offsets = zone.getRules().getValidOffsets(wall);
    ZoneOffsetTransition change = zone.getRules().getTransition(wall);
    return offsets.isEmpty() ? change.getInstant() : wall.toInstant(offsets.get(0));
  }

  private static List<String> times(Cron cron, String after, int count) {
    List<String> times = new ArrayList<>();
    Instant last = Instant.parse(after);
    for (int i = 0; i < count; i++) {
      last = cron.after(last);
      times.add(last.toString());
    }
    return times;
  }
}
