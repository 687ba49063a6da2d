package dev.once.testkit;

import dev.once.spi.RecordStore;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Supplier;

/** Records the calls that reached a store; a test can wait until they were answered. */
final class ObservedStore extends InterceptedStore {
  private final List<Call> calls = new ArrayList<>();

  ObservedStore(RecordStore store) {
    super(store);
  }

  @Override
  <R> R around(Call call, Supplier<R> answer) {
    try {
      return answer.get();
    } finally {
      remember(call);
    }
  }

  synchronized List<Call> calls() {
    return List.copyOf(calls);
  }

  synchronized int count(Call call) {
    return Collections.frequency(calls, call);
  }

  /** Waits until {@code call} was made so many times, counted from the start. */
  synchronized void await(Call call, int times) throws InterruptedException {
    Deadline deadline = Deadline.start();
    while (count(call) < times) {
      wait(deadline.leftMillis(() -> "saw " + calls + ", not " + call + " x " + times));
    }
  }

  private synchronized void remember(Call call) {
    calls.add(call);
    notifyAll();
  }
}
