package dev.once.s3;

import java.util.LinkedHashSet;
import java.util.Set;

/** The entries of a log whose events were read last. They need not be looked at for late ones. */
final class ReadEntries {
  private static final int MAX = 20_000;

  // Guarded by this.
  private final Set<String> entries = new LinkedHashSet<>();

  synchronized void add(String entry) {
    entries.add(entry);
    if (entries.size() > MAX) {
      entries.remove(entries.iterator().next());
    }
  }

  synchronized boolean contains(String entry) {
    return entries.contains(entry);
  }
}
