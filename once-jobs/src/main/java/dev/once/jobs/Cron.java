package dev.once.jobs;

import com.cronutils.model.CronType;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.zone.ZoneOffsetTransition;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The firing times of a cron expression, in a time zone that may have clock changes. If the hour is
 * {@code *}, elapsed time counts: it fires whenever the local time matches, also in the hour that
 * is repeated. If hours are named, local time counts, and every matching local time fires once: one
 * that the clocks skip fires at the change, one that is repeated fires the first time.
 */
final class Cron {
  private static final CronParser PARSER =
      new CronParser(CronDefinitionBuilder.instanceDefinitionFor(CronType.UNIX));

  private static final Map<String, String> NICKNAMES =
      Map.of(
          "@yearly", "0 0 1 1 *",
          "@monthly", "0 0 1 * *",
          "@weekly", "0 0 * * 0",
          "@daily", "0 0 * * *",
          "@hourly", "0 * * * *");

  private static final List<String> FIELDS =
      List.of("minute", "hour", "day of month", "month", "day of week");

  private final ExecutionTime times;
  private final boolean everyHour;
  private final ZoneId zone;

  private Cron(com.cronutils.model.Cron cron, ZoneId zone) {
    this.times = ExecutionTime.forCron(cron);
    this.everyHour = cron.asString().split(" ", -1)[1].equals("*");
    this.zone = zone;
  }

  /**
   * Parses minute, hour, day of month, month and day of week, or a nickname such as
   * {@literal @daily}.
   *
   * @throws IllegalArgumentException if the expression is not valid, or never fires
   */
  static Cron parse(String text, ZoneId zone) {
    Cron cron = new Cron(read(text), zone);
    if (cron.localAfter(LocalDateTime.of(1970, 1, 1, 0, 0)).isEmpty()) {
      throw new IllegalArgumentException(
          "cron '" + text + "' never fires: no month that it names has that day");
    }
    return cron;
  }

  private static com.cronutils.model.Cron read(String text) {
    try {
      return PARSER.parse(NICKNAMES.getOrDefault(text, text));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "cron '%s' is not valid%s: %s".formatted(text, invalidFieldOf(text), e.getMessage()), e);
    }
  }

  /** Names the first field that cannot be parsed even if all others are stars. */
  private static String invalidFieldOf(String text) {
    String[] values = text.trim().split("\\s+", -1);
    for (int i = 0; i < FIELDS.size() && values.length == FIELDS.size(); i++) {
      try {
        PARSER.parse("* ".repeat(i) + values[i] + " *".repeat(FIELDS.size() - 1 - i));
      } catch (IllegalArgumentException e) {
        return " in its " + FIELDS.get(i) + " '" + values[i] + "'";
      }
    }
    return "";
  }

  /** Returns the first firing time after {@code instant}. */
  Instant after(Instant instant) {
    ZonedDateTime from = instant.atZone(zone);
    if (everyHour) {
      return times.nextExecution(from).orElseThrow().toInstant();
    }
    LocalDateTime local = from.toLocalDateTime();
    Instant next = instant;
    while (!next.isAfter(instant)) { // More than once only in a repeated hour.
      local = localAfter(local).orElseThrow();
      next = firstInstantOf(local);
    }
    return next;
  }

  /**
   * Returns the last firing time that is not after {@code now}, given {@code known}, which is not
   * after it either. Every step halves the rest of the interval, so its length does not matter.
   */
  Instant latest(Instant known, Instant now) {
    Instant fired = known;
    Instant end = now;
    for (Instant next = after(fired); !next.isAfter(now); next = after(fired)) {
      fired = next;
      Instant middle = fired.plus(Duration.between(fired, end).dividedBy(2));
      Instant afterMiddle = after(middle);
      if (afterMiddle.isAfter(now)) {
        end = middle;
      } else {
        fired = afterMiddle;
      }
    }
    return fired;
  }

  private Optional<LocalDateTime> localAfter(LocalDateTime local) {
    return times.nextExecution(local.atZone(ZoneOffset.UTC)).map(ZonedDateTime::toLocalDateTime);
  }

  private Instant firstInstantOf(LocalDateTime local) {
    ZoneOffsetTransition change = zone.getRules().getTransition(local);
    return change != null && change.isGap()
        ? change.getInstant()
        : local.atZone(zone).withEarlierOffsetAtOverlap().toInstant();
  }
}
