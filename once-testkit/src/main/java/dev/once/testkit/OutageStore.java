package dev.once.testkit;

import dev.once.StoreException;
import dev.once.spi.RecordStore;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/** A store that fails every call for some time, and counts the calls that it failed. */
final class OutageStore extends InterceptedStore {
  private final Map<Call, Integer> failed = new EnumMap<>(Call.class);
  private long endNanos = System.nanoTime();
  private Set<Call> awaited = Set.of();

  OutageStore(RecordStore store) {
    super(store);
  }

  /** Fails every call from now on, for {@code outage}. */
  synchronized void failFor(Duration outage) {
    endNanos = System.nanoTime() + outage.toNanos();
  }

  /** Fails every call from now on, for {@code outage} and until one of {@code call} has failed. */
  synchronized void failFor(Duration outage, Call call) {
    failFor(outage);
    awaited = Set.of(call);
  }

  /** How many such calls failed. */
  synchronized int failed(Call call) {
    return failed.getOrDefault(call, 0);
  }

  @Override
  <R> R around(Call call, Supplier<R> answer) {
    refuseDuringOutage(call);
    return answer.get();
  }

  private synchronized void refuseDuringOutage(Call call) {
    if (System.nanoTime() - endNanos < 0 || !failed.keySet().containsAll(awaited)) {
      failed.merge(call, 1, Integer::sum);
      throw new StoreException("the store is unavailable: " + call, null);
    }
  }
}
