package dev.once.testkit;

import dev.once.Key;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The keys that a campaign uses at a time. Each slot has one key, which is replaced by a new one at
 * random. Their total number is limited, however long the campaign: their outcomes stay.
 */
final class ChaosKeys {
  /** The scope of keys whose outcomes expire while the campaign runs. */
  static final String SHORT_LIVED = "short-lived";

  private static final int SLOTS = 48;
  private static final int TENANTS = 5;
  private static final int MAX_KEYS = 100_000;

  /** Large outcomes fill a disk, and a server has to load them when it starts. */
  private static final int MAX_LARGE_KEYS = 24;

  /** One in so many answers retires its key. */
  private static final int RETIRE_ODDS = 8;

  private final long seed;
  private final long startNanos = System.nanoTime();
  private final Duration duration;
  private final ChaosLedger ledger;
  private final AtomicInteger largeKeys = new AtomicInteger();
  private final Slot[] slots = new Slot[SLOTS];

  ChaosKeys(long seed, Duration duration, ChaosLedger ledger) {
    this.seed = seed;
    this.duration = duration;
    this.ledger = ledger;
    for (int i = 0; i < SLOTS; i++) {
      slots[i] = new Slot(i);
    }
  }

  Slot slot(SplittableRandom random) {
    return slots[random.nextInt(SLOTS)];
  }

  private boolean hasBudget() {
    double elapsed = (double) (System.nanoTime() - startNanos) / duration.toNanos();
    return ledger.size() < SLOTS + MAX_KEYS * elapsed;
  }

  /** A place for one key at a time. Its number determines what its effects are like. */
  final class Slot {
    private final int number;
    private final AtomicInteger generation = new AtomicInteger();

    private Slot(int number) {
      this.number = number;
    }

    /** Whether an effect must be reconciled before it runs again after its lease ran out. */
    boolean asks() {
      return number % 3 == 0;
    }

    boolean isLarge() {
      return number % 12 == 5;
    }

    /** Whether its effects may take longer than a lease. */
    boolean isSlow() {
      return number % 8 == 3;
    }

    /** Whether its outcomes expire while the campaign runs, so that there is something to purge. */
    boolean isShortLived() {
      return number % 8 == 6;
    }

    /** The key of a call: a new one if outcomes of this slot expire, else the slot's. */
    Key key() {
      int current = isShortLived() ? generation.getAndIncrement() : generation.get();
      String scope = isShortLived() ? SHORT_LIVED : "kept";
      return new Key("tenant-" + number % TENANTS, scope, seed + "-" + number + "-" + current);
    }

    int payloadBytes(SplittableRandom random) {
      return isLarge() ? random.nextInt(1 << 20, 8 << 20) : random.nextInt(2_000);
    }

    /** Called when a caller has an answer: other callers may continue with another key. */
    void answered(SplittableRandom random) {
      boolean retired = !isShortLived() && random.nextInt(RETIRE_ODDS) == 0 && hasBudget();
      if (retired && (!isLarge() || largeKeys.incrementAndGet() < MAX_LARGE_KEYS)) {
        generation.incrementAndGet();
      }
    }
  }
}
