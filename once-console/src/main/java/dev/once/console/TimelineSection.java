package dev.once.console;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * One timeline across all sections for a key, a run, an event or a correlation id. A call goes
 * through the searches of the sections, those with an index first, until its time is up or it has
 * found enough; the next call continues there. So every entry is found, however large the tables
 * are. The entries of one call are in the order of time, and belong between those of other calls.
 */
final class TimelineSection implements Section {
  private static final Duration SEARCH_TIME = Duration.ofMillis(300);
  private static final int MAX_ENTRIES = 500;

  private final List<TimelineSearch> searches;
  private final InstantSource clock;

  /**
   * Where a call begins.
   *
   * @param index the search, in the order of the list
   */
  private record Place(int index, Optional<String> after) {
    static final Place START = new Place(0, Optional.empty());

    Place next(Optional<String> next) {
      return next.isPresent() ? new Place(index, next) : new Place(index + 1, Optional.empty());
    }

    String cursor() {
      return Cursor.of(Integer.toString(index), after.orElse(""));
    }
  }

  TimelineSection(List<TimelineSource> sources, InstantSource clock) {
    this.searches =
        sources.stream()
            .flatMap(it -> it.searches().stream())
            .sorted(Comparator.comparing(TimelineSearch::readsAll))
            .toList();
    this.clock = clock;
  }

  @Override
  public String name() {
    return "timeline";
  }

  @Override
  public Set<String> views() {
    return Set.of("");
  }

  @Override
  public Json read(String view, Query query) {
    String tenant = query.requireTenant();
    String key = query.require("key");
    TimelineEntries entries = new TimelineEntries();
    if (!query.user().sees(tenant)) {
      return entries.json();
    }
    Place next =
        search(new TimelineSearch.Subject(tenant, key, query.user()), start(query), entries);
    Json json = entries.json();
    return next.index < searches.size()
        ? json.put("next", next.cursor()).put("searching", searches.get(next.index).what())
        : json;
  }

  private Place search(TimelineSearch.Subject subject, Place start, TimelineEntries into) {
    Instant end = clock.instant().plus(SEARCH_TIME);
    Place place = start;
    do {
      place = place.next(searches.get(place.index).read(subject, place.after, into));
    } while (place.index < searches.size()
        && into.size() < MAX_ENTRIES
        && clock.instant().isBefore(end));
    return place;
  }

  private Place start(Query query) {
    Optional<List<String>> parts = query.after(2);
    if (parts.isEmpty()) {
      return Place.START;
    }
    String after = parts.get().get(1);
    int index = Cursor.number(parts.get().get(0), searches.size() - 1);
    return new Place(index, Optional.of(after).filter(it -> !it.isEmpty()));
  }

  @Override
  public Set<ConsoleAction> actions() {
    return Set.of();
  }

  @Override
  public Json perform(ConsoleAction action, Command command) {
    throw new AssertionError(action);
  }
}
