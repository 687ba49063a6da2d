package dev.once.events;

import java.util.LinkedHashSet;
import java.util.List;

/** The ids of events that were published last, up to a number. */
final class RecentIds {
  private final int max;
  private final LinkedHashSet<String> ids = new LinkedHashSet<>();

  RecentIds(int max, List<String> recent) {
    this.max = max;
    recent.forEach(this::add);
  }

  boolean contains(String id) {
    return ids.contains(id);
  }

  void add(String id) {
    ids.remove(id);
    ids.add(id);
    if (ids.size() > max) {
      ids.remove(ids.iterator().next());
    }
  }

  /** Returns the newest ids, the oldest of them first. */
  List<String> newest(int count) {
    return ids.stream().skip(Math.max(0, ids.size() - count)).toList();
  }
}
