package dev.once.webhooks;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.regex.Pattern;

/** The header {@code Retry-After}: seconds, or a date as servers have to write it. */
final class RetryAfter {
  /** A receiver cannot postpone a message for longer at a time. */
  static final Duration MAX = Duration.ofDays(1);

  private static final Pattern SECONDS = Pattern.compile("[0-9]{1,18}");

  private RetryAfter() {}

  /** Returns the delay, bounded; empty for a header that is none. */
  static Optional<Duration> parse(String header, Instant now) {
    try {
      Duration delay =
          SECONDS.matcher(header).matches()
              ? Duration.ofSeconds(Long.parseLong(header))
              : Duration.between(
                  now,
                  ZonedDateTime.parse(header, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant());
      Duration late = delay.isNegative() ? Duration.ZERO : delay;
      return Optional.of(late.compareTo(MAX) < 0 ? late : MAX);
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }
}
