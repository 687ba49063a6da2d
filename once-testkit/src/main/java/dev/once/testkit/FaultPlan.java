package dev.once.testkit;

import dev.once.LeaseLostException;
import dev.once.NoAnswerException;
import dev.once.OnceException;
import dev.once.StoreException;
import dev.once.spi.RecordStore;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Causes crashes, lost answers and pauses at random, from a seed that reproduces the run exactly.
 *
 * <pre>{@code
 * var faults = FaultPlan.seeded(seed);
 * var once = Once.over(faults.around(new InMemoryRecordStore(faults.clock())));
 * for (int i = 0; i < 20; i++) {
 *   faults.life(() -> answers.add(once.run(CHARGE, it -> charge()).orThrow()));
 * }
 * faults.heal(); // no more faults, and every lease has run out
 * answers.add(once.run(CHARGE, it -> charge()).orThrow());
 * }</pre>
 *
 * <p>During a {@link #life}, a call to the store may fail before it reaches the store, may take
 * effect and lose its answer, may be slow so that leases run out meanwhile, or may be the moment at
 * which the process dies. A dead process has no effect any more: what it still calls while its
 * stack unwinds does not reach the store. An effect that calls {@link #point} can be slow or die
 * there too. Outside a life nothing fails.
 *
 * <p>A plan is for the thread that made it, because the order of calls is part of what a seed
 * reproduces: calls of other threads fail. The engine's heartbeats come from threads of their own,
 * so give it leases of a minute or more: the plan's time runs by its own clock and no real time
 * passes.
 */
public final class FaultPlan {
  /** In so many steps, one is a crash and one more a failure of the store. */
  private static final int CRASH_ODDS = 12;

  private static final int PAUSE_ODDS = 6;

  private final Thread thread = Thread.currentThread();
  private final long seed;
  private final SplittableRandom random;
  private final TestClock clock = new TestClock();
  private final Deque<Living> lives = new ArrayDeque<>();
  private final List<String> story = new ArrayList<>();
  private @Nullable Life others;
  private Duration longestLease = Duration.ZERO;
  private boolean healed;

  private FaultPlan(long seed) {
    this.seed = seed;
    this.random = new SplittableRandom(seed);
  }

  /** Returns the plan for {@code seed}. */
  public static FaultPlan seeded(long seed) {
    return new FaultPlan(seed);
  }

  /** What a process does from its start to its end. */
  @FunctionalInterface
  public interface Life {
    void live() throws Exception;
  }

  /** The clock of this plan: give it to the store. */
  public TestClock clock() {
    return clock;
  }

  /** Returns {@code store} with the faults of this plan. */
  public RecordStore around(RecordStore store) {
    return new FaultyRecordStore(store, this);
  }

  /**
   * Runs one process until it ends, dies or gives up. Exceptions that this plan causes end here:
   * the crash, a store that failed, a lease that was lost, and no answer because an earlier life
   * still holds the key. Any other exception is thrown to the test.
   */
  public void life(Life process) throws Exception {
    lives.push(new Living());
    tell("a life starts");
    try {
      process.live();
      tell("it ends");
    } catch (PlannedCrash e) {
      tell("it is dead");
    } catch (OnceException e) {
      tell("it gives up: " + e.getMessage());
      if (!isPlanned(e)) {
        throw e;
      }
    } finally {
      lives.pop();
    }
  }

  /**
   * Sets what another node does while a process is paused: it may take over what the paused process
   * owns. Such a life has faults of its own.
   */
  public void meanwhile(Life others) {
    this.others = others;
  }

  /** A moment inside an effect at which its process may be paused or die. */
  public void point() {
    maybePause("in the effect");
    maybeCrash("in the effect");
  }

  /** Ends all faults and advances the clock until every lease has run out. */
  public void heal() {
    healed = true;
    clock.advance(longestLease);
  }

  /** The seed, and what has happened so far. */
  @Override
  public String toString() {
    return "FaultPlan.seeded(" + seed + "):\n  " + String.join("\n  ", story);
  }

  void sawLease(Duration lease) {
    longestLease = lease.compareTo(longestLease) > 0 ? lease : longestLease;
  }

  /** Called before {@code call} is sent to the store. */
  void before(String call) {
    if (!Thread.currentThread().equals(thread)) {
      throw new StoreException(call + " by another thread than the plan's", null);
    }
    maybePause("before " + call);
    maybeCrash("before " + call);
    maybeFail("before " + call);
  }

  /** Called after the store has executed {@code call}, before the process gets the answer. */
  void after(String call) {
    maybePause("after " + call);
    maybeCrash("after " + call);
    maybeFail("after " + call);
  }

  private void maybeCrash(String when) {
    Living life = lives.peek();
    if (life == null) {
      return;
    }
    if (!life.crashed && happens(CRASH_ODDS)) {
      tell("crash " + when);
      life.crashed = true;
    }
    if (life.crashed) {
      throw new PlannedCrash();
    }
  }

  private void maybeFail(String when) {
    if (happens(CRASH_ODDS)) {
      tell("failure " + when);
      // The engine pauses before it retries. This permit ends that pause at once.
      LockSupport.unpark(Thread.currentThread());
      throw new StoreException("planned failure " + when, new PlannedFailure());
    }
  }

  private void maybePause(String when) {
    Living life = lives.peek();
    if (life != null && !life.crashed && happens(PAUSE_ODDS)) {
      Duration pause = anyPause();
      tell("pause of " + pause + " " + when);
      clock.advance(pause);
      letOthersLive();
    }
  }

  private void letOthersLive() {
    Life next = others;
    if (next == null || lives.size() > 1 || random.nextBoolean()) {
      return;
    }
    try {
      life(next);
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException("what happened meanwhile failed", e);
    }
  }

  /** Half of the pauses are a fraction of the longest lease, half are up to twice its length. */
  private Duration anyPause() {
    long lease = Math.max(longestLease.toMillis(), 1_000);
    return Duration.ofMillis(
        random.nextBoolean() ? random.nextLong(lease / 4) : lease + random.nextLong(lease));
  }

  private boolean happens(int odds) {
    return !healed && !lives.isEmpty() && random.nextInt(odds) == 0;
  }

  private static boolean isPlanned(OnceException e) {
    if (e instanceof LeaseLostException || e instanceof NoAnswerException) {
      return true; // Caused by pauses and earlier crashes.
    }
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof PlannedFailure) {
        return true;
      }
    }
    return false;
  }

  private void tell(String what) {
    story.add("  ".repeat(lives.size() - 1) + what);
  }

  /** A process that is alive or has just died. */
  private static final class Living {
    private boolean crashed;
  }

  /** Ends a process. An error, so that no handler mistakes it for a failure of the store. */
  private static final class PlannedCrash extends Error {
    private static final long serialVersionUID = 1L;

    PlannedCrash() {
      super("planned crash", null, false, false);
    }
  }

  /** Marks a failure of the store as planned. */
  private static final class PlannedFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    PlannedFailure() {
      super("planned", null, false, false);
    }
  }
}
