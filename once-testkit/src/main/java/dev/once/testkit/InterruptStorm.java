package dev.once.testkit;

import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Interrupts callers at random moments of their calls, some of them before the call and some more
 * than once, and knows which calls it interrupted.
 */
final class InterruptStorm implements AutoCloseable {
  /** The longest delays until an interrupt: some calls take microseconds, some milliseconds. */
  private static final long[] LONGEST_DELAY_NANOS = {20_000, 200_000, 1_000_000, 5_000_000};

  private static final long POLL_NANOS = TimeUnit.MICROSECONDS.toNanos(20);

  /** In so many calls, one begins on an interrupted thread, and one is not interrupted. */
  private static final int ODDS = 8;

  private final List<Caller> callers = new CopyOnWriteArrayList<>();
  private final AtomicLong interrupts = new AtomicLong();
  private final SplittableRandom random;
  private final int oneOf;
  private final Thread thread = new Thread(this::blow, "interrupt-storm");
  private volatile boolean over;

  private InterruptStorm(long seed, int oneOf) {
    this.random = new SplittableRandom(seed);
    this.oneOf = oneOf;
  }

  /** Interrupts nearly every call. */
  static InterruptStorm start(long seed) {
    return start(seed, 1);
  }

  /** Interrupts one in {@code oneOf} calls. */
  static InterruptStorm start(long seed, int oneOf) {
    InterruptStorm storm = new InterruptStorm(seed, oneOf);
    storm.thread.setDaemon(true);
    storm.thread.start();
    return storm;
  }

  /** A caller that makes one call at a time. */
  synchronized Caller newCaller() {
    Caller caller = new Caller(random.split());
    callers.add(caller);
    return caller;
  }

  /** How often a caller was interrupted. */
  long interrupts() {
    return interrupts.get();
  }

  @Override
  public void close() {
    over = true;
  }

  private void blow() {
    while (!over) {
      long now = System.nanoTime();
      callers.forEach(it -> it.interruptIfDue(now));
      LockSupport.parkNanos(POLL_NANOS);
    }
  }

  /** A caller that is interrupted during its calls. */
  final class Caller {
    private final SplittableRandom random;
    private @Nullable Thread thread;
    private boolean due;
    private long dueNanos;
    private boolean interrupted;

    private Caller(SplittableRandom random) {
      this.random = random;
    }

    /** Makes a call on this thread and checks the interrupt status that it leaves. */
    <T> T call(Supplier<T> call) {
      T answer;
      begin();
      try {
        answer = call.get();
      } catch (Throwable e) {
        end();
        throw e;
      }
      if (!end()) {
        throw new AssertionError(
            "an interrupt was lost or made up by the call that gave " + answer);
      }
      return answer;
    }

    void run(Runnable call) {
      call(
          () -> {
            call.run();
            return "nothing";
          });
    }

    /** From here on this thread may be interrupted. */
    synchronized void begin() {
      thread = Thread.currentThread();
      interrupted = false;
      boolean chosen = random.nextInt(oneOf) == 0;
      due = chosen && random.nextInt(ODDS) != 0;
      dueNanos = System.nanoTime() + delay();
      if (chosen && random.nextInt(ODDS) == 0) {
        interrupt(Thread.currentThread());
      }
    }

    /** Interrupts the call once more, within {@code nanos} from now. */
    synchronized void interruptWithin(long nanos) {
      due = true;
      dueNanos = System.nanoTime() + random.nextLong(nanos);
    }

    /**
     * Ends the call and clears the interrupt status.
     *
     * @return whether the status was set if there was an interrupt, and not otherwise
     */
    synchronized boolean end() {
      thread = null;
      return Thread.interrupted() == interrupted;
    }

    private synchronized void interruptIfDue(long now) {
      if (thread != null && due && now - dueNanos >= 0) {
        interrupt(thread);
        due = random.nextBoolean();
        dueNanos = now + delay();
      }
    }

    private void interrupt(Thread target) {
      interrupted = true;
      interrupts.incrementAndGet();
      target.interrupt();
    }

    private long delay() {
      return random.nextLong(LONGEST_DELAY_NANOS[random.nextInt(LONGEST_DELAY_NANOS.length)]);
    }
  }
}
