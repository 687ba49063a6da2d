package dev.once.s3;

import dev.once.events.Event;
import dev.once.events.EventLog;
import dev.once.events.EventStore;
import dev.once.internal.Limits;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The log of the store on S3, by its index. An entry is written before its event, so every event
 * has one; an entry without its event is skipped. A position is the name of an entry.
 */
record S3EventLog(
    LogObjects log, PlaceAllocator allocator, EventLoader loader, ReadEntries entriesRead)
    implements EventLog {
  /** A page ends early if its events take more memory. */
  private static final int MAX_PAGE_BYTES = 16 << 20;

  private static final int LOADED_AT_ONCE = 64;
  private static final int MAX_LISTED = 1000;

  @Override
  public Page read(String after, int limit) {
    Limits.range("limit", limit, 1, MAX_PAGE);
    String last = entry(after);
    String end = LogNames.indexOf(allocator.settledBefore());
    while (true) {
      List<String> entries = upTo(end, log.indexEntries(last, limit));
      if (entries.isEmpty()) {
        return new Page(List.of(), position(last));
      }
      List<Event> events = new ArrayList<>();
      int loaded = load(entries, events);
      last = entries.get(loaded - 1);
      events.forEach(it -> entriesRead.add(LogNames.index(Place.of(it))));
      if (!events.isEmpty()) {
        boolean isLast = entries.size() < limit && loaded == entries.size();
        return new Page(events, position(last), isLast);
      }
    }
  }

  /**
   * {@inheritDoc} Those are the events of the window that {@link #read} has not returned, or a
   * sample of them at equal distances with the newest one. Where all are known, this costs one
   * request. With sequences of PostgreSQL an event can come late only if the database lost its
   * reservation, in a failover to an asynchronous standby.
   */
  @Override
  public List<Event> late(String position, Duration window, int maxKeys) {
    Limits.range("number of keys", maxKeys, 0, EventStore.MAX_PAGE);
    if (position.equals(START) || maxKeys == 0 || window.isZero()) {
      return List.of();
    }
    List<Event> events = new ArrayList<>();
    List<String> sample = sample(entry(position), window, maxKeys);
    for (int loaded = 0; loaded < sample.size(); ) {
      loaded += load(sample.subList(loaded, sample.size()), events);
    }
    return events;
  }

  @Override
  public Optional<Instant> heldSince() {
    String end = LogNames.indexOf(allocator.settledBefore());
    return log.indexEntries(end, 1).stream().findFirst().map(it -> LogNames.indexed(it).time());
  }

  /** Loads the events of the first entries, and returns of how many. */
  private int load(List<String> entries, List<Event> events) {
    int loaded = 0;
    long bytes = 0;
    while (loaded < entries.size() && bytes < MAX_PAGE_BYTES) {
      int end = Math.min(entries.size(), loaded + LOADED_AT_ONCE);
      for (Event event : events(entries.subList(loaded, end))) {
        events.add(event);
        bytes += event.content().data().length;
      }
      loaded = end;
    }
    return loaded;
  }

  /** Returns the events that are where the entries say, and not elsewhere or under another time. */
  private List<Event> events(List<String> entries) {
    List<Place> places = entries.stream().map(LogNames::indexed).toList();
    List<PlaceContent> contents = loader.load(places);
    List<Event> events = new ArrayList<>();
    for (int i = 0; i < places.size(); i++) {
      Place place = places.get(i);
      contents.get(i).found().filter(it -> Place.of(it).equals(place)).ifPresent(events::add);
    }
    return events;
  }

  private List<String> sample(String last, Duration window, int maxKeys) {
    Instant end = LogNames.indexed(last).time();
    Instant start = end.minus(window);
    List<String> first = log.indexEntries(LogNames.indexOf(start), MAX_LISTED);
    List<String> inWindow = first.stream().filter(it -> it.compareTo(last) <= 0).toList();
    if (inWindow.size() < MAX_LISTED) {
      return evenly(unread(inWindow), maxKeys);
    }
    Set<String> sample = new LinkedHashSet<>();
    for (int i = 0; i < maxKeys - 1; i++) {
      Instant time = start.plus(window.multipliedBy(i).dividedBy(maxKeys - 1));
      sample.addAll(log.indexEntries(LogNames.indexOf(time), 1));
    }
    sample.removeIf(it -> it.compareTo(last) > 0);
    sample.add(last);
    return unread(sample);
  }

  private List<String> unread(Collection<String> entries) {
    return entries.stream().filter(it -> !entriesRead.contains(it)).toList();
  }

  /** Returns at most {@code max} of the names at equal distances, with the last one. */
  static List<String> evenly(List<String> names, int max) {
    if (names.size() <= max) {
      return names;
    }
    List<String> sample = new ArrayList<>();
    for (long i = 1; i <= max; i++) {
      sample.add(names.get(Math.toIntExact(i * names.size() / max) - 1));
    }
    return sample;
  }

  private static List<String> upTo(String end, List<String> entries) {
    return entries.stream().takeWhile(it -> it.compareTo(end) < 0).toList();
  }

  private static String entry(String position) {
    String entry = LogNames.INDEX + position;
    if (!position.equals(START) && !LogNames.isIndexEntry(entry)) {
      throw new IllegalArgumentException(
          "position must be one that this log returned, got " + position);
    }
    return entry;
  }

  private static String position(String entry) {
    return entry.substring(LogNames.INDEX.length());
  }
}
