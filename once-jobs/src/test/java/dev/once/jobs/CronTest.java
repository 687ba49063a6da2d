package dev.once.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The meaning of cron expressions. */
class CronTest {
  @ParameterizedTest
  @CsvSource({
    "0 3 * * *,      2026-01-01T03:00:00Z, 2026-01-02T03:00:00Z",
    "*/15 * * * *,   2026-01-01T03:00:01Z, 2026-01-01T03:15:00Z",
    "0 0 29 2 *,     2026-01-01T00:00:00Z, 2028-02-29T00:00:00Z",
    "0 0 31 * *,     2026-01-31T00:00:00Z, 2026-03-31T00:00:00Z",
    "0 9 * * MON,    2026-01-01T00:00:00Z, 2026-01-05T09:00:00Z",
    "0 0 * * 7,      2026-01-01T00:00:00Z, 2026-01-04T00:00:00Z",
    "0 0 13 * 5,     2026-01-01T00:00:00Z, 2026-01-02T00:00:00Z",
    "0 0 1 JAN-MAR *, 2026-01-01T00:00:00Z, 2026-02-01T00:00:00Z",
  })
  void firesStrictlyAfter(String cron, Instant instant, Instant next) {
    assertThat(Cron.parse(cron, ZoneOffset.UTC).after(instant)).isEqualTo(next);
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      value = {
        "61 * * * *,  in its minute '61': ",
        "0 25 * * *,  in its hour '25': ",
        "0 0 32 * *,  in its day of month '32': ",
        "0 0 * 13 *,  in its month '13': ",
        "0 0 * * fry, in its day of week 'fry': ",
        "0 0 L * *,   in its day of month 'L': ",
        "5-1 * * * *, in its minute '5-1': ",
        "0 0 * *,     is not valid: ",
        "@sometimes,      is not valid: ",
      })
  void namesTheFieldAndTheValueThatItCannotRead(String cron, String place) {
    assertThatThrownBy(() -> Cron.parse(cron, ZoneOffset.UTC))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("cron '" + cron + "' is not valid")
        .hasMessageContaining(place);
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      value = {"0 0 30 2 *", "\"0 0 31 4,6 *\""})
  void refusesATimeThatNeverComes(String cron) {
    assertThatThrownBy(() -> Cron.parse(cron, ZoneOffset.UTC))
        .hasMessage("cron '" + cron + "' never fires: no month that it names has that day");
  }

  @ParameterizedTest
  @CsvSource({
    "* * * * *,    2016-01-01T00:00:00Z, 2026-05-05T05:05:05Z, 2026-05-05T05:05:00Z",
    "* * * * *,    2026-05-05T05:05:00Z, 2026-05-05T05:05:00Z, 2026-05-05T05:05:00Z",
    "*/5 * * * *,  2026-05-05T05:00:00Z, 2026-05-05T05:09:59Z, 2026-05-05T05:05:00Z",
    "* 3 * * *,    2026-01-01T03:00:00Z, 2026-05-05T02:00:00Z, 2026-05-04T03:59:00Z",
    "0 0 29 2 *,   2020-02-29T00:00:00Z, 2026-05-05T02:00:00Z, 2024-02-29T00:00:00Z",
    "0 0 1 1 *,    2026-01-01T00:00:00Z, 2026-05-05T02:00:00Z, 2026-01-01T00:00:00Z",
  })
  void findsTheLatestTimeAfterAnyPause(String cron, Instant known, Instant now, Instant latest) {
    assertThat(Cron.parse(cron, ZoneId.of("UTC")).latest(known, now)).isEqualTo(latest);
  }

  @Test
  void knowsNicknames() {
    Instant noon = Instant.parse("2026-03-01T12:30:00Z");

    assertThat(Cron.parse("@daily", ZoneOffset.UTC).after(noon)).isEqualTo("2026-03-02T00:00:00Z");
    assertThat(Cron.parse("@hourly", ZoneOffset.UTC).after(noon)).isEqualTo("2026-03-01T13:00:00Z");
    assertThat(Cron.parse("@weekly", ZoneOffset.UTC).after(noon)).isEqualTo("2026-03-08T00:00:00Z");
    assertThat(Cron.parse("@monthly", ZoneOffset.UTC).after(noon))
        .isEqualTo("2026-04-01T00:00:00Z");
    assertThat(Cron.parse("@yearly", ZoneOffset.UTC).after(noon)).isEqualTo("2027-01-01T00:00:00Z");
  }
}
