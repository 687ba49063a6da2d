package dev.once.console;

import dev.once.jdbc.RecordCensus;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The alerts of docs/operating/prometheus-alerts.yaml that need no metrics: what this process
 * counted for ten minutes, and what the table says now. Thread-safe.
 */
final class Alerts {
  static final double MAX_HIT_RATE = 0.3;
  static final int MIN_REQUESTS = 20;
  static final int SPIKE_FACTOR = 5;
  static final long MIN_GROWN_ENTRIES = 100_000;
  static final int GROWTH_FACTOR = 2;
  static final int MAX_STALE = 1_000;

  private static final int MINUTE_SLOTS = 6;
  private static final Duration SAMPLE_EVERY = Duration.ofMinutes(5);
  private static final Duration OLDEST_SAMPLE = Duration.ofHours(24);
  private static final Duration YOUNGEST_SAMPLE = Duration.ofHours(1);

  private final InstantSource clock;
  private final Deque<Sample> samples = new ArrayDeque<>();

  private record Sample(Instant at, long entries) {}

  /**
   * One alert.
   *
   * @param what was measured
   * @param then what to do about it
   */
  record Alert(String name, boolean isActive, String what, String then) {}

  Alerts(InstantSource clock) {
    this.clock = clock;
  }

  List<Alert> of(RateWindow.Counts counts, Optional<RecordCensus> records) {
    List<Alert> alerts = new ArrayList<>();
    alerts.add(hitRate(counts));
    alerts.add(spike(counts));
    records.ifPresent(
        it -> {
          alerts.add(growth(it.entries()));
          alerts.add(stale(it.stale()));
        });
    return alerts;
  }

  private static Alert hitRate(RateWindow.Counts counts) {
    long hits = counts.last(RateWindow.Kind.REPLAY, RateWindow.SLOTS);
    long all = hits + counts.last(RateWindow.Kind.NEW, RateWindow.SLOTS);
    double rate = all == 0 ? 0 : (double) hits / all;
    return new Alert(
        "hit rate",
        all >= MIN_REQUESTS && rate > MAX_HIT_RATE,
        String.format(
            Locale.ROOT, "%.0f %% of the requests were replays (limit 30 %%)", 100 * rate),
        "Clients send again what was answered. Look at their time-outs.");
  }

  private static Alert spike(RateWindow.Counts counts) {
    long minute = counts.last(RateWindow.Kind.IN_FLIGHT, MINUTE_SLOTS);
    long before = counts.last(RateWindow.Kind.IN_FLIGHT, RateWindow.SLOTS) - minute;
    double usual = (double) before / (RateWindow.SLOTS / MINUTE_SLOTS - 1);
    return new Alert(
        "concurrent requests",
        minute > MIN_REQUESTS && minute > SPIKE_FACTOR * usual,
        String.format(Locale.ROOT, "%d in the last minute, %.0f per minute before", minute, usual),
        "Requests take longer than clients wait. Find the slow endpoint.");
  }

  private synchronized Alert growth(long entries) {
    Instant now = clock.instant();
    Sample newest = samples.peekLast();
    if (newest == null || !newest.at.plus(SAMPLE_EVERY).isAfter(now)) {
      samples.addLast(new Sample(now, entries));
    }
    while (samples.getFirst().at.plus(OLDEST_SAMPLE).isBefore(now)) {
      samples.removeFirst();
    }
    Sample oldest = samples.getFirst();
    boolean isOld = !oldest.at.plus(YOUNGEST_SAMPLE).isAfter(now);
    return new Alert(
        "growth",
        isOld && entries > MIN_GROWN_ENTRIES && entries > GROWTH_FACTOR * oldest.entries,
        "%d records, %d at %s"
            .formatted(entries, oldest.entries, oldest.at.truncatedTo(ChronoUnit.SECONDS)),
        "There is more traffic, or a client makes a new key for every retry.");
  }

  private static Alert stale(int stale) {
    return new Alert(
        "stale keys",
        stale > MAX_STALE,
        "%s expired and not purged (limit 1000)".formatted(Counts.text(stale, false)),
        "The purge does not keep up: run once purge, and raise once.purge.max-batches.");
  }
}
