package dev.once.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.once.spi.Claim;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
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

  /**
   * So many calls of each caller are answered while no other virtual thread can run: a call that
   * waits for one is among the first, because none can begin later.
   */
  int UNSCHEDULED_CALLS = 50;

  /** For how long that many calls are waited for, longer than a call may take. */
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
    AtomicInteger computing = new AtomicInteger();
    CountDownLatch answered = new CountDownLatch(UNDISTURBED_CALLERS);
    ThreadFactory virtual = ThreadKind.VIRTUAL.factory();
    List<Thread> disturbed = start(virtual, () -> claimUntil(over));
    try {
      List<Callable<Duration>> callers =
          new ArrayList<>(
              ConcurrentCalls.times(
                  UNDISTURBED_CALLERS, () -> longestWhile(computing, answered, over)));
      callers.add(() -> occupyCarriers(virtual, computing, answered, over));

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

  /** Counts as answered after some calls that began while all carrier threads were occupied. */
  private Duration longestWhile(
      AtomicInteger computing, CountDownLatch answered, AtomicBoolean over) {
    int carriers = Runtime.getRuntime().availableProcessors();
    int calls = 0;
    Duration longest = Duration.ZERO;
    while (!over.get()) {
      boolean isOccupied = computing.get() >= carriers;
      Duration took = claimAndComplete();
      longest = took.compareTo(longest) > 0 ? took : longest;
      if (isOccupied && ++calls == UNSCHEDULED_CALLS) {
        answered.countDown();
      }
      LockSupport.parkNanos(THINK_NANOS);
    }
    return longest;
  }

  /** Keeps other virtual threads from running until all callers were answered, or for a while. */
  private static Duration occupyCarriers(
      ThreadFactory virtual, AtomicInteger computing, CountDownLatch answered, AtomicBoolean over)
      throws InterruptedException {
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200)); // The callers start meanwhile.
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 4 * Runtime.getRuntime().availableProcessors(); i++) {
      Thread thread = virtual.newThread(() -> compute(computing, over));
      threads.add(thread);
      thread.start();
    }
    boolean unused = answered.await(UNSCHEDULED.toNanos(), TimeUnit.NANOSECONDS);
    over.set(true);
    for (Thread thread : threads) {
      thread.join();
    }
    return Duration.ZERO;
  }

  private static void compute(AtomicInteger computing, AtomicBoolean over) {
    computing.incrementAndGet();
    while (!over.get()) {
      Thread.onSpinWait();
    }
  }
}
