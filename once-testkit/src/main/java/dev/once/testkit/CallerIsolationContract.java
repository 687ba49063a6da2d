package dev.once.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.once.spi.Claim;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/**
 * An interrupted or unscheduled thread of one caller does not affect other callers, even in a store
 * that queues calls and sends several of them at once.
 */
interface CallerIsolationContract extends StoreUnderTest {
  int UNDISTURBED_CALLERS = 8;
  int DISTURBED_CALLERS = 16;

  /** The pause between two calls of one caller, so that an in-memory store does not fill up. */
  long THINK_NANOS = TimeUnit.MICROSECONDS.toNanos(200);

  /** How long a call may take while threads of other callers are interrupted or not scheduled. */
  Duration ISOLATION_BOUND = Duration.ofSeconds(2);

  /** Long enough for hundreds of interrupts. */
  Duration INTERRUPTED = Duration.ofMillis(700);

  /** Longer than a call may take. */
  Duration UNSCHEDULED = ISOLATION_BOUND.plusSeconds(1);

  /**
   * The trap: a batch runs on the thread of one of its callers, and an interrupt of that thread
   * fails the whole batch.
   */
  @Test
  default void answersCallersWhileOthersAreInterrupted() throws Exception {
    AtomicBoolean over = new AtomicBoolean();
    long endNanos = System.nanoTime() + INTERRUPTED.toNanos();
    BooleanSupplier end = () -> System.nanoTime() - endNanos >= 0;
    try (InterruptStorm storm = InterruptStorm.start(42)) {
      List<Thread> disturbed =
          start(ThreadKind.lightest().factory(), () -> claimUntil(over, storm.newCaller()));
      try {
        List<Duration> longest =
            ConcurrentCalls.together(
                ConcurrentCalls.times(UNDISTURBED_CALLERS, () -> longestUntil(end)));

        assertThat(longest).allSatisfy(it -> assertThat(it).isLessThan(ISOLATION_BOUND));
      } finally {
        over.set(true);
        join(disturbed);
      }
    }
  }

  /**
   * The trap: a batch runs on the virtual thread of one of its callers, and other virtual threads
   * that compute leave it no carrier thread.
   */
  @Test
  default void answersPlatformThreadsWhileNoVirtualThreadIsScheduled() throws Exception {
    assumeTrue(ThreadKind.VIRTUAL.isAvailable(), "virtual threads");
    AtomicBoolean over = new AtomicBoolean();
    ThreadFactory virtual = ThreadKind.VIRTUAL.factory();
    List<Thread> disturbed = start(virtual, () -> claimUntil(over));
    try {
      List<Callable<Duration>> callers =
          new ArrayList<>(
              ConcurrentCalls.times(UNDISTURBED_CALLERS, () -> longestUntil(over::get)));
      callers.add(() -> occupyCarriers(virtual, over));

      List<Duration> longest = ConcurrentCalls.together(callers);

      assertThat(longest).allSatisfy(it -> assertThat(it).isLessThan(ISOLATION_BOUND));
    } finally {
      over.set(true);
      join(disturbed);
    }
  }

  private static List<Thread> start(ThreadFactory factory, Runnable caller) {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < DISTURBED_CALLERS; i++) {
      Thread thread = factory.newThread(caller);
      threads.add(thread);
      thread.start();
    }
    return threads;
  }

  private static void join(List<Thread> threads) throws InterruptedException {
    for (Thread thread : threads) {
      thread.join(Deadline.PATIENCE.toMillis());
      assertThat(thread.isAlive()).as("a caller that never returned").isFalse();
    }
  }

  /** The answers to these callers do not matter here; {@link InterruptContract} checks them. */
  private void claimUntil(AtomicBoolean over, InterruptStorm.Caller caller) {
    while (!over.get()) {
      caller.begin();
      try {
        store().claim(TestClaim.forNewKey().request());
      } catch (RuntimeException e) {
        // A store in which an interrupt fails a call fails another test.
      }
      caller.end();
    }
  }

  private void claimUntil(AtomicBoolean over) {
    while (!over.get()) {
      store().claim(TestClaim.forNewKey().request());
      LockSupport.parkNanos(THINK_NANOS);
    }
  }

  private Duration longestUntil(BooleanSupplier over) {
    Duration longest = Duration.ZERO;
    while (!over.getAsBoolean()) {
      Duration took = claimAndComplete();
      longest = took.compareTo(longest) > 0 ? took : longest;
      LockSupport.parkNanos(THINK_NANOS);
    }
    return longest;
  }

  /** Returns how long the longer of the two calls took. */
  private Duration claimAndComplete() {
    TestClaim ask = TestClaim.forNewKey();
    long started = System.nanoTime();
    Claim.Granted owner = ask.grantedBy(store());
    long granted = System.nanoTime();
    store().complete(owner, Outcomes.FIRST, TestClaim.RETENTION);
    long completed = System.nanoTime();

    assertThat(Thread.interrupted()).as("the interrupt of another caller").isFalse();
    return Duration.ofNanos(Math.max(granted - started, completed - granted));
  }

  /** Keeps other virtual threads from running for a while, and then ends the test. */
  private static Duration occupyCarriers(ThreadFactory virtual, AtomicBoolean over)
      throws InterruptedException {
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200)); // The callers start meanwhile.
    long end = System.nanoTime() + UNSCHEDULED.toNanos();
    List<Thread> computing = new ArrayList<>();
    for (int i = 0; i < 4 * Runtime.getRuntime().availableProcessors(); i++) {
      Thread thread = virtual.newThread(() -> compute(end));
      computing.add(thread);
      thread.start();
    }
    for (Thread thread : computing) {
      thread.join();
    }
    over.set(true);
    return Duration.ZERO;
  }

  private static void compute(long endNanos) {
    while (System.nanoTime() - endNanos < 0) {
      Thread.onSpinWait();
    }
  }
}
