package dev.once.testkit;

import dev.once.Key;
import dev.once.spi.Claim;
import dev.once.spi.ClaimRequest;
import dev.once.spi.RecordStore;
import dev.once.spi.RecordView;
import dev.once.spi.State;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Predicate;

/** Stores that reopen or expire in a wrong way, and the ways to do so. */
final class BrokenOperator {
  private BrokenOperator() {}

  static RecordStore reopening(LockableStore store, Predicate<Key> reopen) {
    return new BrokenStore(store) {
      @Override
      public boolean reopen(Key key) {
        return reopen.test(key);
      }
    };
  }

  static RecordStore expiring(LockableStore store, Predicate<Key> expire) {
    return new BrokenStore(store) {
      @Override
      public boolean expire(Key key) {
        return expire.test(key);
      }
    };
  }

  /** Whether a lease of {@code key} runs. */
  static boolean isHeld(LockableStore store, Key key, TestClock clock) {
    return isIn(State.IN_PROGRESS, store, key)
        && store.find(key).filter(it -> clock.instant().isBefore(it.leaseUntil())).isPresent();
  }

  static boolean isIn(State state, LockableStore store, Key key) {
    return store.find(key).filter(it -> it.state() == state).isPresent();
  }

  /** Ends a lease, and leaves its record to its recovery. */
  static boolean endLease(LockableStore store, Key key) {
    RecordView it = store.find(key).orElseThrow();
    store.renew(new Claim.Granted(key, it.fence(), it.attempts()), Duration.ZERO);
    return true;
  }

  /** Expires a record whether or not a caller owns it. */
  static boolean forget(LockableStore store, Key key) {
    boolean reopened = store.reopen(key);
    return store.expire(key) || reopened;
  }

  /** Looks for the key to reopen in every tenant. */
  static final class Sweeping extends BrokenStore {
    private final Set<Key> claimed = new HashSet<>();

    Sweeping(LockableStore honest) {
      super(honest);
    }

    @Override
    public Claim claim(ClaimRequest request) {
      claimed.add(request.key());
      return honest.claim(request);
    }

    @Override
    public boolean reopen(Key key) {
      return claimed.stream()
              .filter(it -> it.scope().equals(key.scope()) && it.value().equals(key.value()))
              .filter(honest::reopen)
              .count()
          > 0;
    }
  }
}
