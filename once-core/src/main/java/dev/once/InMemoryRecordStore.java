package dev.once;

import dev.once.spi.Claim;
import dev.once.spi.ClaimRequest;
import dev.once.spi.Purge;
import dev.once.spi.RecordStore;
import dev.once.spi.RecordView;
import dev.once.spi.State;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Keeps records in this process, for tests, examples and work that ends with the process. It keeps
 * the promises of every store but one: nothing survives a restart. Records stay in memory until
 * {@link #purge} removes them.
 */
public final class InMemoryRecordStore implements RecordStore {
  private final Map<Key, RecordView> records = new ConcurrentHashMap<>();
  private final AtomicLong fences = new AtomicLong();
  private final InstantSource clock;

  public InMemoryRecordStore() {
    this(InstantSource.system());
  }

  /** A store whose time is {@code clock}. */
  public InMemoryRecordStore(InstantSource clock) {
    this.clock = clock;
  }

  @Override
  public Claim claim(ClaimRequest request) {
    return claim(request, false);
  }

  @Override
  public Claim reconcile(ClaimRequest request) {
    return claim(request, true);
  }

  @Override
  public void complete(Claim.Granted grant, Outcome outcome, Duration retention) {
    State state = outcome.failed() ? State.FAILED : State.COMPLETED;
    Instant expires = clock.instant().plus(retention);
    boolean changed =
        change(grant, it -> with(it, state, it.leaseUntil(), expires, Optional.of(outcome)));
    requireOwned(grant, changed || isDoneBy(grant));
  }

  @Override
  public void release(Claim.Granted grant) {
    requireOwned(
        grant,
        change(
            grant, it -> with(it, State.OPEN, it.leaseUntil(), it.expiresAt(), Optional.empty())));
  }

  @Override
  public void renew(Claim.Granted grant, Duration lease) {
    Instant until = clock.instant().plus(lease);
    requireOwned(
        grant,
        change(
            grant,
            it -> with(it, it.state(), until, max(it.expiresAt(), until), Optional.empty())));
  }

  @Override
  public int purge(Purge purge) {
    int removed = 0;
    Iterator<RecordView> all = records.values().iterator();
    while (removed < purge.limit() && all.hasNext()) {
      RecordView it = all.next();
      boolean asked = purge.tenant().isEmpty() || purge.tenant().get().equals(it.key().tenant());
      if (asked && isExpired(it) && records.remove(it.key(), it)) {
        removed++;
      }
    }
    return removed;
  }

  @Override
  public Optional<RecordView> find(Key key) {
    RecordView it = records.get(key);
    if (it == null || isExpired(it)) {
      return Optional.empty();
    }
    boolean uncertain = isLapsed(it) && it.recovery() == Recovery.ASK;
    return Optional.of(
        uncertain
            ? with(it, State.UNCERTAIN, it.leaseUntil(), it.expiresAt(), Optional.empty())
            : it);
  }

  private Claim claim(ClaimRequest request, boolean reconciling) {
    Claim[] answer = new Claim[1];
    records.compute(
        request.key(),
        (key, old) -> {
          if (old != null && !isExpired(old)) {
            Claim refusal = refusal(old, request, reconciling);
            if (refusal != null) {
              answer[0] = refusal;
              return old;
            }
          }
          RecordView granted = grant(old == null || isExpired(old) ? null : old, request);
          answer[0] = new Claim.Granted(key, granted.fence(), granted.attempts());
          return granted;
        });
    return answer[0];
  }

  /** Why {@code request} is not granted, or null if it is. */
  private @Nullable Claim refusal(RecordView old, ClaimRequest request, boolean reconciling) {
    if (!old.fingerprint().equals(request.fingerprint())) {
      return new Claim.Mismatched();
    }
    if (isDone(old)) {
      return new Claim.Replay(old.outcome().orElseThrow(), old.correlation());
    }
    if (old.state() == State.OPEN) {
      return null;
    }
    if (!isLapsed(old)) {
      return new Claim.Held(Duration.between(clock.instant(), old.leaseUntil()));
    }
    boolean rerun = old.recovery() == Recovery.RERUN && old.attempts() < request.maxAttempts();
    return rerun || reconciling ? null : new Claim.Uncertain();
  }

  private RecordView grant(@Nullable RecordView old, ClaimRequest request) {
    Instant now = clock.instant();
    Instant leaseUntil = now.plus(request.lease());
    return new RecordView(
        request.key(),
        State.IN_PROGRESS,
        request.fingerprint(),
        fences.incrementAndGet(),
        old == null ? 1 : old.attempts() + 1,
        mustAsk(old) ? Recovery.ASK : request.recovery(),
        old == null ? now : old.createdAt(),
        leaseUntil,
        max(leaseUntil, now.plus(request.retention())),
        request.correlation(),
        Optional.empty());
  }

  /** A take-over cannot make an effect repeatable that its first owner said is not. */
  private static boolean mustAsk(@Nullable RecordView old) {
    return old != null && old.state() == State.IN_PROGRESS && old.recovery() == Recovery.ASK;
  }

  /** Applies {@code step} if {@code grant} still owns its record, and returns whether it did. */
  private boolean change(Claim.Granted grant, UnaryOperator<RecordView> step) {
    boolean[] changed = new boolean[1];
    records.computeIfPresent(
        grant.key(),
        (key, it) -> {
          changed[0] = isOwned(grant, it);
          return changed[0] ? step.apply(it) : it;
        });
    return changed[0];
  }

  /** Only the grant with this fence can have finished the record under it. */
  private boolean isDoneBy(Claim.Granted grant) {
    return find(grant.key()).filter(it -> isDone(it) && it.fence() == grant.fence()).isPresent();
  }

  private static void requireOwned(Claim.Granted grant, boolean owned) {
    if (!owned) {
      throw new LeaseLostException(grant.key(), grant.fence());
    }
  }

  private boolean isOwned(Claim.Granted grant, RecordView it) {
    return it.fence() == grant.fence() && it.state() == State.IN_PROGRESS && !isExpired(it);
  }

  private boolean isExpired(RecordView it) {
    return !clock.instant().isBefore(it.expiresAt());
  }

  private boolean isLapsed(RecordView it) {
    return it.state() == State.IN_PROGRESS && !clock.instant().isBefore(it.leaseUntil());
  }

  private static boolean isDone(RecordView it) {
    return it.state() == State.COMPLETED || it.state() == State.FAILED;
  }

  private static Instant max(Instant a, Instant b) {
    return a.isAfter(b) ? a : b;
  }

  private static RecordView with(
      RecordView it, State state, Instant lease, Instant expires, Optional<Outcome> outcome) {
    return new RecordView(
        it.key(),
        state,
        it.fingerprint(),
        it.fence(),
        it.attempts(),
        it.recovery(),
        it.createdAt(),
        lease,
        expires,
        it.correlation(),
        outcome);
  }
}
