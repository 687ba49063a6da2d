package dev.once.examples.planning;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import org.springframework.boot.jackson.JacksonComponent;
import tools.jackson.core.JsonParser;

/** Reads ISO-8601 times with an offset, to the microsecond, the precision of the database. */
@JacksonComponent
final class InstantReader extends MemberReader<Instant> {
  private static final Instant FIRST = Instant.parse("1970-01-01T00:00:00Z");
  private static final Instant LAST = Instant.parse("9999-12-31T23:59:59Z");
  private static final String FORM =
      "must be a time with an offset in the years 1970 to 9999, as in 2026-11-01T08:00:00+01:00";

  @Override
  Instant read(JsonParser parser, String text) {
    Instant instant;
    try {
      instant = OffsetDateTime.parse(text).toInstant().truncatedTo(ChronoUnit.MICROS);
    } catch (DateTimeException e) {
      throw new MemberException(parser, FORM);
    }
    if (instant.isBefore(FIRST) || instant.isAfter(LAST)) {
      throw new MemberException(parser, FORM);
    }
    return instant;
  }
}
