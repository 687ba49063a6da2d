package dev.once.workflow;

import static java.util.stream.Collectors.toSet;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The entries of a run as its activation knows them: those that were there when it began, and its
 * own. Thread-safe.
 */
final class History {
  /** The maximum number of entries of a run. A run that needs more starts another one. */
  static final int MAX_ENTRIES = 10_000;

  /** The maximum size of the values of a run: an activation has all of them in memory. */
  static final long MAX_BYTES = 32 << 20;

  private final Map<String, Entry> entries = new ConcurrentHashMap<>();
  private final Instant now;

  /** The calls whose branches have entries. */
  private final Set<String> branched;

  private final AtomicLong bytes = new AtomicLong();

  /** Orders what this activation registers behind everything that the database has numbered. */
  private final AtomicLong registered = new AtomicLong(Long.MAX_VALUE / 2);

  /**
   * @param now the database's time when the entries were read
   */
  History(List<Entry> entries, Instant now) {
    entries.forEach(this::put);
    this.branched = entries.stream().flatMap(it -> Paths.above(it.path())).collect(toSet());
    this.now = now;
  }

  Instant now() {
    return now;
  }

  Optional<Entry> find(String path) {
    return Optional.ofNullable(entries.get(path));
  }

  /**
   * Returns the entry at {@code path}, if there is one.
   *
   * @throws HistoryMismatchException if it is of another call than the code makes there
   */
  Optional<Entry> expect(String path, EntryKind kind, String name, @Nullable String input) {
    Entry found = entries.get(path);
    if (found == null) {
      if (kind != EntryKind.CHOICE) {
        requireNoBranches("calls %s %s at %s".formatted(kind.code(), name, path), path);
      }
      return Optional.empty();
    }
    boolean matchesInput = input == null || found.input() == null || input.equals(found.input());
    if (found.kind() != kind || !found.name().equals(name) || !matchesInput) {
      throw new HistoryMismatchException(
          "the code calls %s %s at %s, where the history has %s %s%s: register this code as a new version"
              .formatted(
                  kind.code(),
                  name,
                  path,
                  found.kind().code(),
                  found.name(),
                  matchesInput ? "" : " with another input"));
    }
    return Optional.of(found);
  }

  /**
   * Makes sure that the history has no entry at {@code path}, because the code ends before it.
   *
   * @throws HistoryMismatchException if it has
   */
  void requireEnd(String path) {
    Entry found = entries.get(path);
    if (found != null) {
      throw new HistoryMismatchException(
          "the code ends before %s, where the history has %s %s: register this code as a new version"
              .formatted(path, found.kind().code(), found.name()));
    }
    requireNoBranches("ends before " + path, path);
  }

  /**
   * Makes sure that the history has no other call at {@code path}, where the code runs branches.
   *
   * @throws HistoryMismatchException if it has
   */
  void requireNoCall(String path) {
    Entry found = entries.get(path);
    if (found != null) {
      throw new HistoryMismatchException(
          "the code runs branches at %s, where the history has %s %s: register this code as a new version"
              .formatted(path, found.kind().code(), found.name()));
    }
  }

  private void requireNoBranches(String what, String path) {
    if (branched.contains(path)) {
      throw new HistoryMismatchException(
          "the code %s, where the history has branches: register this code as a new version"
              .formatted(what));
    }
  }

  /** Makes sure that there is room for one more entry. */
  void requireRoom() {
    if (entries.size() >= MAX_ENTRIES) {
      throw new HistoryFullException(
          "a run has at most %d entries in its history: continue in a child run"
              .formatted(MAX_ENTRIES));
    }
    if (bytes.get() >= MAX_BYTES) {
      throw new HistoryFullException(
          "the values in the history of a run have at most %d bytes: keep them elsewhere"
              .formatted(MAX_BYTES));
    }
  }

  void put(Entry entry) {
    entries.put(entry.path(), entry);
    bytes.addAndGet(entry.value() == null ? 0 : entry.value().length);
  }

  /** Returns whether a branch, by the prefix of its calls, has registered compensations. */
  boolean hasCompensations(String prefix) {
    return compensations().stream().anyMatch(it -> it.path().startsWith(prefix));
  }

  /** Returns how many entries, or only compensations, wait for something. */
  int waiting(boolean onlyCompensations) {
    return (int)
        entries.values().stream()
            .filter(it -> it.state().isWaiting())
            .filter(it -> !onlyCompensations || it.kind() == EntryKind.COMPENSATION)
            .count();
  }

  /** Returns the entries that wait in all branches at {@code path} but {@code winner}. */
  List<Entry> losing(String path, String winner) {
    return entries.values().stream()
        .filter(it -> it.path().startsWith(path + "/"))
        .filter(it -> !it.path().startsWith(path + "/" + winner + "/"))
        .filter(it -> it.state().isWaiting())
        .toList();
  }

  /** Ends them. */
  void abandon(String path, String winner) {
    for (Entry it : losing(path, winner)) {
      entries.put(it.path(), it.withState(EntryState.ABANDONED));
    }
  }

  /** Adds a compensation, unless an earlier activation registered it. */
  void register(String path, String name) {
    entries.putIfAbsent(
        path,
        new Entry(
            path,
            EntryKind.COMPENSATION,
            name,
            null,
            EntryState.REGISTERED,
            0,
            null,
            null,
            Optional.empty(),
            registered.incrementAndGet()));
  }

  /** Returns the compensations, the one that was registered last first. */
  List<Entry> compensations() {
    return entries.values().stream()
        .filter(it -> it.kind() == EntryKind.COMPENSATION)
        .sorted(Comparator.comparingLong(Entry::number).reversed())
        .toList();
  }
}
