package dev.once.s3;

import dev.once.events.Aggregate;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The names of a log's objects. Numbers have a fixed width: names are listed as text. */
final class LogNames {
  static final String INDEX = "index/";

  private static final String JSON = ".json";
  private static final int NUMBER_DIGITS = 20;
  private static final DateTimeFormatter HOUR =
      DateTimeFormatter.ofPattern("uuuu/MM/dd/HH/", Locale.ROOT).withZone(ZoneOffset.UTC);
  private static final Pattern EVENT = Pattern.compile("aggregates/.+/\\d{20}\\.json");
  private static final Pattern INDEX_ENTRY =
      Pattern.compile("index/\\d{4}/\\d\\d/\\d\\d/\\d\\d/(\\d{20})-(\\d{20})-(.+)\\.json");

  private LogNames() {}

  /** Returns how the names of an aggregate's events begin. */
  static String events(String aggregate) {
    return "aggregates/" + aggregate + "/";
  }

  static String event(String aggregate, long sequence) {
    return events(aggregate) + number(sequence) + JSON;
  }

  static boolean isEvent(String name) {
    return EVENT.matcher(name).matches();
  }

  static boolean isIndexEntry(String name) {
    return INDEX_ENTRY.matcher(name).matches();
  }

  /** Returns the sequence in the name of an event. */
  static long sequence(String event) {
    int end = event.length() - JSON.length();
    return Long.parseLong(event.substring(end - NUMBER_DIGITS, end));
  }

  /** Returns the name of the pointer from an event's id to its place: ids have no fixed form. */
  static String pointer(String eventId) {
    return "ids/" + sha256(eventId) + JSON;
  }

  static String index(Place place) {
    return indexOf(place.time()) + "-" + number(place.sequence()) + "-" + place.aggregate() + JSON;
  }

  /** Returns a name before the entries of this time and later, and after those of earlier times. */
  static String indexOf(Instant time) {
    return INDEX + HOUR.format(time) + number(ChronoUnit.MICROS.between(Instant.EPOCH, time));
  }

  /** Returns the place that an index entry names. */
  static Place indexed(String entry) {
    Matcher matcher = INDEX_ENTRY.matcher(entry);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("not the name of an index entry");
    }
    Instant time = Instant.EPOCH.plus(Long.parseLong(matcher.group(1)), ChronoUnit.MICROS);
    return new Place(matcher.group(3), Long.parseLong(matcher.group(2)), time);
  }

  static String snapshot(Aggregate aggregate) {
    return "snapshots/" + aggregate.key() + JSON;
  }

  static String checkpoint(String relay) {
    return "checkpoints/" + URLEncoder.encode(relay, StandardCharsets.UTF_8) + JSON;
  }

  private static String number(long number) {
    return String.format(Locale.ROOT, "%0" + NUMBER_DIGITS + "d", number);
  }

  private static String sha256(String text) {
    try {
      MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(sha256.digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java platform has SHA-256", e);
    }
  }
}
