package dev.once.servlet;

import dev.once.InMemoryRecordStore;
import dev.once.Key;
import dev.once.Outcome;
import dev.once.StoreException;
import dev.once.UnreadableOutcomeException;
import dev.once.spi.Claim;
import dev.once.spi.ClaimRequest;
import dev.once.spi.RecordStore;
import dev.once.spi.RecordUsage;
import dev.once.spi.RecordView;
import dev.once.spi.Usage;
import dev.once.testkit.TestClock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/** A store in memory with the test's clock, which can be down, and which records its calls. */
final class TestStore implements RecordStore, RecordUsage {
  private final TestClock clock = new TestClock();
  private final InMemoryRecordStore store = new InMemoryRecordStore(clock);
  private final List<String> calls = new CopyOnWriteArrayList<>();
  private final List<Outcome> outcomes = new CopyOnWriteArrayList<>();
  private volatile boolean isDown;
  private volatile boolean isUnreadable;
  private volatile Runnable completing = () -> {};

  /** Makes every call fail while it is set. */
  void isDown(boolean isDown) {
    this.isDown = isDown;
  }

  /** Makes outcomes unreadable while it is set, as if their key were missing. */
  void isUnreadable(boolean isUnreadable) {
    this.isUnreadable = isUnreadable;
  }

  /** Sets a callback that runs before an outcome is recorded. */
  void onComplete(Runnable completing) {
    this.completing = completing;
  }

  void elapse(Duration time) {
    clock.advance(time);
  }

  /** Returns all calls except renewals, in order. */
  List<String> calls() {
    return List.copyOf(calls);
  }

  /** Returns the recorded outcomes, in order. */
  List<Outcome> outcomes() {
    return List.copyOf(outcomes);
  }

  /** Waits until {@code call} was answered {@code times} times. */
  synchronized void await(String call, int times) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(Gate.PATIENCE_SECONDS);
    while (calls.stream().filter(call::equals).count() < times) {
      long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
      if (left <= 0) {
        throw new AssertionError("saw " + calls + ", not " + call + " x " + times);
      }
      wait(left);
    }
  }

  @Override
  public Claim claim(ClaimRequest request) {
    requireUp();
    Claim claim = store.claim(request);
    called("claim");
    if (isUnreadable && claim instanceof Claim.Replay) {
      throw new UnreadableOutcomeException(request.key(), "k1", "add that key to the ring", null);
    }
    return claim;
  }

  @Override
  public void complete(Claim.Granted grant, Outcome outcome, Duration retention) {
    completing.run();
    requireUp();
    store.complete(grant, outcome, retention);
    outcomes.add(outcome);
    called("complete");
  }

  @Override
  public void release(Claim.Granted grant) {
    requireUp();
    store.release(grant);
    called("release");
  }

  @Override
  public void renew(Claim.Granted grant, Duration lease) {
    requireUp();
    store.renew(grant, lease);
    if (lease.isZero()) {
      called("abandon");
    }
  }

  @Override
  public Optional<RecordView> find(Key key) {
    requireUp();
    called("find");
    return store.find(key);
  }

  @Override
  public Usage usage(String tenant, Usage enough) {
    return store.usage(tenant, enough);
  }

  private void requireUp() {
    if (isDown) {
      throw new StoreException("the store is down", null);
    }
  }

  private synchronized void called(String call) {
    calls.add(call);
    notifyAll();
  }
}
