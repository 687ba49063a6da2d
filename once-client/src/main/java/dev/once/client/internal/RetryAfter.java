package dev.once.client.internal;

import java.net.http.HttpHeaders;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How long a server asks to wait: by {@code Retry-After}, in seconds or as one of the three forms
 * of an HTTP date, or by the {@code t} of {@code RateLimit}. {@code Retry-After} comes first. What
 * is not well-formed is ignored, and nothing longer than ten minutes is believed.
 */
public final class RetryAfter {
  public static final Duration LONGEST = Duration.ofMinutes(10);

  private static final Pattern SECONDS = Pattern.compile("[0-9]{1,100}");
  private static final Pattern RATE_LIMIT =
      Pattern.compile("\\s*\"[^\"\\\\]*\"(?:\\s*;\\s*[a-z*][a-z0-9_.*-]*=[^;,]+)*\\s*");
  private static final Pattern NO_QUOTA = Pattern.compile(";\\s*r=0\\s*(?:;|$)");
  private static final Pattern RESET = Pattern.compile(";\\s*t=([0-9]{1,15})\\s*(?:;|$)");
  private static final int YEARS_AHEAD = 50;
  private static final int MAX_DIGITS = 15;

  private RetryAfter() {}

  /** Returns the wait, not negative; empty if the server asks for none. */
  public static Optional<Duration> of(HttpHeaders headers, Instant now) {
    List<String> values = headers.allValues("Retry-After");
    // By the server's clock, because this one may be wrong.
    Instant answered = headers.firstValue("Date").flatMap(it -> date(it.strip(), now)).orElse(now);
    Optional<Duration> wait =
        values.size() == 1 ? parse(values.get(0).strip(), answered) : Optional.empty();
    return wait.or(() -> reset(headers)).map(RetryAfter::limited);
  }

  private static Duration limited(Duration wait) {
    return wait.compareTo(LONGEST) > 0 ? LONGEST : wait.isNegative() ? Duration.ZERO : wait;
  }

  private static Optional<Duration> parse(String value, Instant now) {
    if (SECONDS.matcher(value).matches()) {
      return Optional.of(
          value.length() > MAX_DIGITS ? LONGEST : Duration.ofSeconds(Long.parseLong(value)));
    }
    return date(value, now).map(it -> Duration.between(now, it));
  }

  private static Optional<Instant> date(String value, Instant now) {
    for (DateTimeFormatter form : forms(now)) {
      try {
        return Optional.of(LocalDateTime.parse(value, form).toInstant(ZoneOffset.UTC));
      } catch (DateTimeException e) {
        // Perhaps one of the other forms.
      }
    }
    return Optional.empty();
  }

  private static List<DateTimeFormatter> forms(Instant now) {
    int base = now.atOffset(ZoneOffset.UTC).getYear() - (100 - YEARS_AHEAD) + 1;
    return List.of(
        DateTimeFormatter.ofPattern("EEE, dd MMM uuuu HH:mm:ss 'GMT'", Locale.ENGLISH),
        new DateTimeFormatterBuilder()
            .appendPattern("EEEE, dd-MMM-")
            .appendValueReduced(ChronoField.YEAR, 2, 2, base)
            .appendPattern(" HH:mm:ss 'GMT'")
            .toFormatter(Locale.ENGLISH),
        DateTimeFormatter.ofPattern("EEE MMM ppd HH:mm:ss uuuu", Locale.ENGLISH));
  }

  /** Returns the longest time until a quota is there again. */
  private static Optional<Duration> reset(HttpHeaders headers) {
    return headers.allValues("RateLimit").stream()
        .flatMap(line -> List.of(line.split(",")).stream())
        .filter(item -> RATE_LIMIT.matcher(item).matches() && NO_QUOTA.matcher(item).find())
        .map(RESET::matcher)
        .filter(Matcher::find)
        .map(it -> Duration.ofSeconds(Long.parseLong(it.group(1))))
        .max(Duration::compareTo);
  }
}
