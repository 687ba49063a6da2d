package dev.once.testkit;

import dev.once.Fingerprint;
import dev.once.Key;
import dev.once.Outcome;
import dev.once.Recovery;
import dev.once.spi.Claim;
import dev.once.spi.ClaimRequest;
import dev.once.spi.RecordView;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;

/** Forwards every call to an honest store. A {@link Flaw} breaks one of them. */
class BrokenStore extends ForwardingRecordStore {
  /**
   * How long a store that looks before it acts waits between the two, so that other callers can
   * act.
   */
  static final long WINDOW_NANOS = 1_000_000;

  final LockableStore honest;

  BrokenStore(LockableStore honest) {
    super(honest);
    this.honest = honest;
  }

  /** The newest grant of the key, whichever grant is given. */
  Claim.Granted newest(Claim.Granted grant) {
    return honest
        .find(grant.key())
        .map(it -> new Claim.Granted(it.key(), it.fence(), it.attempts()))
        .orElse(grant);
  }

  static ClaimRequest with(ClaimRequest it, Fingerprint fingerprint) {
    return it.withFingerprint(fingerprint).withNewToken();
  }

  static ClaimRequest with(ClaimRequest it, Duration retention, int maxAttempts) {
    return ClaimRequest.of(it.key(), it.lease(), retention)
        .withFingerprint(it.fingerprint())
        .withRecovery(it.recovery())
        .withMaxAttempts(maxAttempts)
        .withCorrelation(it.correlation());
  }

  /** Compares fingerprints in every state but one. */
  static final class Careless extends BrokenStore {
    private final State when;

    enum State {
      HELD,
      LAPSED,
      DONE,
      OPEN
    }

    private final TestClock clock;

    Careless(LockableStore honest, TestClock clock, State when) {
      super(honest);
      this.clock = clock;
      this.when = when;
    }

    @Override
    public Claim claim(ClaimRequest request) {
      Claim claim = honest.claim(request);
      Optional<RecordView> view = honest.find(request.key());
      boolean careless = view.filter(it -> stateOf(it) == when).isPresent();
      return claim instanceof Claim.Mismatched && careless
          ? honest.claim(with(request, view.orElseThrow().fingerprint()))
          : claim;
    }

    private State stateOf(RecordView it) {
      return switch (it.state()) {
        case COMPLETED, FAILED -> State.DONE;
        case OPEN -> State.OPEN;
        default -> clock.instant().isBefore(it.leaseUntil()) ? State.HELD : State.LAPSED;
      };
    }
  }

  /** Keeps keys in a form in which some of them are equal. */
  static final class Folding extends BrokenStore {
    private final UnaryOperator<Key> fold;

    Folding(LockableStore honest, UnaryOperator<Key> fold) {
      super(honest);
      this.fold = fold;
    }

    @Override
    public Claim claim(ClaimRequest it) {
      ClaimRequest folded =
          ClaimRequest.of(fold.apply(it.key()), it.lease(), it.retention())
              .withFingerprint(it.fingerprint())
              .withRecovery(it.recovery())
              .withMaxAttempts(it.maxAttempts())
              .withCorrelation(it.correlation());
      return honest.claim(folded) instanceof Claim.Granted grant
          ? new Claim.Granted(it.key(), grant.fence(), grant.attempt())
          : honest.claim(folded);
    }

    @Override
    public void complete(Claim.Granted it, Outcome outcome, Duration retention) {
      honest.complete(
          new Claim.Granted(fold.apply(it.key()), it.fence(), it.attempt()), outcome, retention);
    }

    @Override
    public Optional<RecordView> find(Key key) {
      return honest.find(fold.apply(key));
    }
  }

  /** Counts fences per record, so that they start again with each record. */
  static final class Forgetful extends BrokenStore {
    Forgetful(LockableStore honest) {
      super(honest);
    }

    @Override
    public Claim claim(ClaimRequest request) {
      return honest.claim(request) instanceof Claim.Granted grant
          ? new Claim.Granted(grant.key(), grant.attempt(), grant.attempt())
          : honest.claim(request);
    }

    @Override
    public void complete(Claim.Granted grant, Outcome outcome, Duration retention) {
      honest.complete(honestly(grant), outcome, retention);
    }

    @Override
    public void release(Claim.Granted grant) {
      honest.release(honestly(grant));
    }

    private Claim.Granted honestly(Claim.Granted grant) {
      Claim.Granted newest = newest(grant);
      return newest.attempt() == grant.fence() ? newest : new Claim.Granted(grant.key(), 0, 0);
    }
  }

  /** Changes outcomes and correlation on their way in. */
  static final class Lossy extends BrokenStore {
    private final UnaryOperator<Outcome> loss;

    Lossy(LockableStore honest, UnaryOperator<Outcome> loss) {
      super(honest);
      this.loss = loss;
    }

    @Override
    public void complete(Claim.Granted grant, Outcome outcome, Duration retention) {
      honest.complete(grant, loss.apply(outcome), retention);
    }
  }

  /** Looks up, then locks, and relies on what it saw first. */
  static final class LookThenLock extends BrokenStore {
    private static final long PATIENCE_NANOS = 5_000_000_000L;

    private final AtomicInteger looked = new AtomicInteger();

    LookThenLock(LockableStore honest) {
      super(honest);
    }

    @Override
    public Claim claim(ClaimRequest request) {
      boolean free = honest.find(request.key()).isEmpty();
      if (free) {
        awaitAnother();
      }
      Claim claim = honest.claim(request);
      return free && claim instanceof Claim.Held
          ? newest(new Claim.Granted(request.key(), 0, 0))
          : claim;
    }

    /** Waits until a second caller has looked, so that the flaw shows however busy the machine. */
    private void awaitAnother() {
      looked.incrementAndGet();
      long start = System.nanoTime();
      while (looked.get() < 2 && System.nanoTime() - start < PATIENCE_NANOS) {
        LockSupport.parkNanos(WINDOW_NANOS);
      }
    }
  }

  /** Takes the recovery from the next caller instead of the last owner. */
  static final class AskingTheWrongOne extends BrokenStore {
    AskingTheWrongOne(LockableStore honest) {
      super(honest);
    }

    @Override
    public Claim claim(ClaimRequest request) {
      Claim claim = honest.claim(request);
      return claim instanceof Claim.Uncertain && request.recovery() == Recovery.RERUN
          ? honest.claim(request.withReconciling(true))
          : claim;
    }
  }
}
