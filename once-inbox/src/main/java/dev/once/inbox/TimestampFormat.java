package dev.once.inbox;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.regex.Pattern;

/** How a provider writes the time at which it signed. */
public enum TimestampFormat {
  UNIX_SECONDS {
    @Override
    Optional<Instant> parse(String text) {
      return number(text).map(Instant::ofEpochSecond);
    }
  },
  UNIX_MILLIS {
    @Override
    Optional<Instant> parse(String text) {
      return number(text).map(Instant::ofEpochMilli);
    }
  },
  /** With its offset, as in {@code 2026-11-15T12:00:00Z}. */
  ISO_8601 {
    @Override
    Optional<Instant> parse(String text) {
      try {
        return text.length() > MAX_CHARS
            ? Optional.empty()
            : Optional.of(OffsetDateTime.parse(text).toInstant());
      } catch (DateTimeParseException e) {
        return Optional.empty();
      }
    }
  };

  private static final int MAX_CHARS = 40;
  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,15}");

  /** Returns the time; empty if the text is none. */
  abstract Optional<Instant> parse(String text);

  private static Optional<Long> number(String text) {
    return NUMBER.matcher(text).matches() ? Optional.of(Long.valueOf(text)) : Optional.empty();
  }
}
