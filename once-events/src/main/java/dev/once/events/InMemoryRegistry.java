package dev.once.events;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The sequence guard of consumers that have no registry: the last sequences of the aggregates that
 * were used last, and the attempts at events that failed last. It knows nothing of other processes
 * and nothing from before this one started.
 */
final class InMemoryRegistry implements Registry {
  static final int MAX_AGGREGATES = 100_000;
  private static final int MAX_FAILED = 10_000;
  private static final Duration LEASE = Duration.ofDays(365);

  static final String LOST =
      "duplicates are recognised only by sequence, only in this process, and only for the last "
          + MAX_AGGREGATES
          + " aggregates: after a restart or a rebalance an event is handled again";

  private final boolean needsEvery;

  // Guarded by this.
  private final Map<Aggregate, Long> lastSequences = new BoundedMap<>(MAX_AGGREGATES);
  private final Map<String, Failure> failures = new BoundedMap<>(MAX_FAILED);
  private long lastFence;

  InMemoryRegistry(boolean needsEvery) {
    this.needsEvery = needsEvery;
  }

  /** The attempts at an event, and why the last one failed. */
  private record Failure(int attempts, Optional<String> error) {}

  @Override
  public synchronized List<ClaimAnswer> claim(List<EventClaimRequest> requests) {
    List<ClaimAnswer> answers = new ArrayList<>();
    Map<Aggregate, Long> claimed = new HashMap<>();
    for (EventClaimRequest request : requests) {
      Event event = request.event();
      Long known = lastSequences.get(event.aggregate());
      long last = claimed.getOrDefault(event.aggregate(), known == null ? 0 : known);
      ClaimAnswer answer = claim(request, last, known != null);
      if (answer instanceof ClaimAnswer.Claimed) {
        claimed.put(event.aggregate(), event.sequence());
      }
      answers.add(answer);
    }
    return answers;
  }

  private ClaimAnswer claim(EventClaimRequest request, long last, boolean isKnown) {
    Event event = request.event();
    if (event.sequence() <= last) {
      return new ClaimAnswer.Stale();
    }
    // Where an unknown aggregate was when this process started, cannot be known.
    if (needsEvery && isKnown && !request.maySkip() && event.sequence() > last + 1) {
      return new ClaimAnswer.Gap();
    }
    Failure failure = failures.getOrDefault(event.id(), new Failure(0, Optional.empty()));
    return new ClaimAnswer.Claimed(++lastFence, failure.attempts() + 1, failure.error());
  }

  @Override
  public synchronized Map<EventLease, SettleAnswer> settle(List<SettleRequest> requests) {
    Map<EventLease, SettleAnswer> answers = new HashMap<>();
    for (SettleRequest request : requests) {
      Event event = request.lease().event();
      AttemptResult result = request.result();
      if (result.state() != ProcessedState.FAILED) {
        lastSequences.merge(event.aggregate(), event.sequence(), Math::max);
        failures.remove(event.id());
      } else if (result.counts()) {
        failures.put(event.id(), new Failure(request.lease().attempt(), result.reason()));
      }
      answers.put(request.lease(), new SettleAnswer(result.state(), true));
    }
    return answers;
  }

  @Override
  public Duration lease() {
    return LEASE;
  }

  /** Forgets the entries that were not used for longest. */
  private static final class BoundedMap<K, V> extends LinkedHashMap<K, V> {
    private static final long serialVersionUID = 1L;
    private final int max;

    BoundedMap(int max) {
      super(16, 0.75f, true);
      this.max = max;
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
      return size() > max;
    }
  }
}
