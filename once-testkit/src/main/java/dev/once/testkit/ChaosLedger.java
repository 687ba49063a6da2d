package dev.once.testkit;

import dev.once.Key;
import dev.once.OutcomeUnknownException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * What really happened, recorded outside the store: every execution of every effect with its fence,
 * and every answer that a caller got. It detects broken promises.
 */
final class ChaosLedger {
  private static final int MAX_VIOLATIONS = 100;

  /** How an execution ended, as its owner knows. */
  enum Ending {
    RUNNING,
    ACKNOWLEDGED,
    LEASE_LOST,
    OUTCOME_UNKNOWN,
    DID_NOT_HAPPEN
  }

  private final Map<Key, Operation> operations = new ConcurrentHashMap<>();
  private final Map<String, AtomicLong> counts = new ConcurrentHashMap<>();
  private final Set<String> violations = Collections.synchronizedSet(new LinkedHashSet<>());
  private final Queue<String> unknown = new ConcurrentLinkedQueue<>();

  Operation operation(Key key) {
    return operations.computeIfAbsent(key, Operation::new);
  }

  Collection<Operation> operations() {
    return operations.values();
  }

  int size() {
    return operations.size();
  }

  void count(String name) {
    count(name, 1);
  }

  void count(String name, long times) {
    counts.computeIfAbsent(name, it -> new AtomicLong()).addAndGet(times);
  }

  Map<String, Long> counts() {
    Map<String, Long> all = new TreeMap<>();
    counts.forEach((name, times) -> all.put(name, times.get()));
    return all;
  }

  void violation(String what) {
    if (violations.size() < MAX_VIOLATIONS) {
      violations.add(what);
    }
  }

  List<String> violations() {
    synchronized (violations) {
      return List.copyOf(violations);
    }
  }

  /** Counts an unknown outcome, which is a violation if no outage was as long as a lease. */
  void unknown(OutcomeUnknownException failure) {
    count("unknown");
    unknown.add(failure.getMessage() + ": " + failure.getCause());
  }

  List<String> unknown() {
    return List.copyOf(unknown);
  }

  /**
   * Notes that the lease of {@code fence} lasts until {@code untilNanos}, as far as its owner
   * knows.
   */
  void leased(Key key, long fence, long untilNanos) {
    Operation operation = operations.get(key);
    if (operation != null) {
      operation.leased(fence, untilNanos);
    }
  }

  /** One key and everything that was done for it. */
  final class Operation {
    private final Key key;
    private final List<Run> runs = new ArrayList<>();
    private @Nullable Long acknowledged;

    private Operation(Key key) {
      this.key = key;
    }

    Key key() {
      return key;
    }

    /** Starts a run of an owner, at the earliest {@code lease} before {@code leaseUntilNanos}. */
    synchronized Run begin(long fence, long leaseUntilNanos) {
      Run run = new Run(fence, leaseUntilNanos);
      runs.add(run);
      return run;
    }

    /** Records that the effect takes place. */
    synchronized void execute(Run run) {
      long now = System.nanoTime();
      for (Run other : runs) {
        boolean live = other.leaseUntilNanos - now > 0;
        if (other.executed && !other.equals(run) && live) {
          violation(key + " was executed by " + run + " under the live lease of " + other);
        }
      }
      run.executed = true;
    }

    /** The fence under which the effect was executed last. */
    synchronized @Nullable Long lastExecuted() {
      Long last = null;
      for (Run run : runs) {
        last = run.executed ? Long.valueOf(run.fence) : last;
      }
      return last;
    }

    synchronized void end(Run run, Ending ending) {
      run.ending = ending;
    }

    /** Records that a caller got what the execution under {@code fence} returned. */
    synchronized void acknowledge(long fence) {
      if (runs.stream().noneMatch(it -> it.fence == fence && it.executed)) {
        violation(key + " was answered with fence " + fence + ", which executed nothing");
      }
      if (acknowledged == null) {
        acknowledged = fence;
      } else if (acknowledged != fence) {
        violation(key + " was answered with fence " + acknowledged + " and then " + fence);
      }
    }

    synchronized @Nullable Long acknowledged() {
      return acknowledged;
    }

    /**
     * Checks that of several executions, all but the acknowledged one were notified: their lease
     * was lost or their outcome is unknown.
     */
    synchronized void check() {
      List<Run> executed = runs.stream().filter(it -> it.executed).toList();
      for (Run run : executed) {
        boolean told = run.ending == Ending.LEASE_LOST || run.ending == Ending.OUTCOME_UNKNOWN;
        if (executed.size() > 1 && !told && !isAcknowledged(run)) {
          violation(
              key + " was executed by all of " + executed + ", and " + run + " was not notified");
        }
      }
      if (executed.size() > 1) {
        count("executedAgain");
      }
    }

    private boolean isAcknowledged(Run run) {
      return acknowledged != null && acknowledged == run.fence;
    }

    private synchronized void leased(long fence, long untilNanos) {
      for (Run run : runs) {
        if (run.fence == fence) {
          run.leaseUntilNanos = untilNanos;
        }
      }
    }
  }

  /** One execution, guarded by its operation. */
  static final class Run {
    private final long fence;
    private long leaseUntilNanos;
    private boolean executed;
    private Ending ending = Ending.RUNNING;

    private Run(long fence, long leaseUntilNanos) {
      this.fence = fence;
      this.leaseUntilNanos = leaseUntilNanos;
    }

    boolean executed() {
      return executed;
    }

    @Override
    public String toString() {
      return "fence " + fence + " (" + ending + ")";
    }
  }
}
