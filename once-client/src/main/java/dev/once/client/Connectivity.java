package dev.once.client;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Which servers answer. To one that does not, a single operation is sent at a time, after pauses
 * that grow: it shows when the server is there again. Thread-safe.
 */
final class Connectivity {
  private final Backoff backoff;
  private final Map<String, Outage> outages = new HashMap<>();

  Connectivity(Backoff backoff) {
    this.backoff = backoff;
  }

  /** A server that does not answer. */
  private static final class Outage {
    private int attempts;
    private long untilNanos;

    /** The operation that shows whether the server is there again; null if none is sent. */
    private @Nullable String probe;

    boolean isBlocked(long now) {
      return probe != null || untilNanos - now > 0;
    }
  }

  /** Returns the servers to which nothing is sent now. */
  synchronized Set<String> blocked() {
    long now = System.nanoTime();
    return outages.entrySet().stream()
        .filter(it -> it.getValue().isBlocked(now))
        .map(Map.Entry::getKey)
        .collect(Collectors.toSet());
  }

  /** Returns how long until one of the blocked servers is tried; empty if none is blocked. */
  synchronized Optional<Duration> untilNextTry() {
    long now = System.nanoTime();
    return outages.values().stream()
        .filter(it -> it.isBlocked(now))
        .map(it -> Duration.ofNanos(Math.max(0, it.untilNanos - now)))
        .min(Duration::compareTo);
  }

  synchronized boolean isOnline() {
    return outages.isEmpty();
  }

  /** Remembers that an operation is being sent to a server. */
  synchronized void trying(String target, String operation) {
    Outage outage = outages.get(target);
    if (outage != null) {
      outage.probe = operation;
    }
  }

  /** Remembers that a server answered, and returns whether it had not before. */
  synchronized boolean answered(String target) {
    return outages.remove(target) != null;
  }

  /**
   * Remembers that a server did not answer an operation, and returns whether it did before. All
   * that were on their way when the link was lost fail; only the first of them and the attempts
   * after it make the pauses grow.
   */
  synchronized boolean unanswered(String target, String operation) {
    boolean isNew = !outages.containsKey(target);
    Outage outage = outages.computeIfAbsent(target, it -> new Outage());
    if (isNew || operation.equals(outage.probe)) {
      outage.attempts++;
      outage.probe = null;
      outage.untilNanos =
          System.nanoTime() + backoff.after(outage.attempts, ThreadLocalRandom.current()).toNanos();
    }
    return isNew;
  }

  /** Remembers that an operation to a server ended before it was sent. */
  synchronized void released(String target, String operation) {
    Outage outage = outages.get(target);
    if (outage != null && operation.equals(outage.probe)) {
      outage.probe = null;
    }
  }
}
