package dev.once;

import dev.once.spi.Claim;
import dev.once.spi.ClaimRequest;
import dev.once.spi.Purge;
import dev.once.spi.RecordAdmin;
import dev.once.spi.RecordEntry;
import dev.once.spi.RecordIndex;
import dev.once.spi.RecordQuery;
import dev.once.spi.RecordStore;
import dev.once.spi.RecordUsage;
import dev.once.spi.RecordView;
import dev.once.spi.State;
import dev.once.spi.Usage;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Keeps records in this process, for tests, examples and work that ends with the process. It keeps
 * all promises of a store but one: nothing survives a restart. Records stay in memory until {@link
 * #purge} removes them.
 */
public final class InMemoryRecordStore
    implements RecordStore, RecordAdmin, RecordIndex, RecordUsage {
  /** Orders text by its UTF-8 bytes, as databases with a binary collation do. */
  private static final Comparator<String> BYTES =
      Comparator.comparing(it -> it.getBytes(StandardCharsets.UTF_8), Arrays::compareUnsigned);

  private final Map<Key, StoredRecord> records = new ConcurrentHashMap<>();
  private final AtomicLong fences = new AtomicLong();
  private final InstantSource clock;

  public InMemoryRecordStore() {
    this(InstantSource.system());
  }

  /** A store that takes the time from {@code clock}. */
  public InMemoryRecordStore(InstantSource clock) {
    this.clock = clock;
  }

  @Override
  public Claim claim(ClaimRequest request) {
    Claim[] answer = new Claim[1];
    records.compute(
        request.key(),
        (key, found) -> {
          Instant now = clock.instant();
          StoredRecord old = found == null || isExpired(found.view(), now) ? null : found;
          Claim given = old == null ? null : answer(old, request, now);
          if (given != null) {
            answer[0] = given;
            return old;
          }
          RecordView granted = grant(old == null ? null : old.view(), request, now);
          answer[0] = grantOf(granted);
          return new StoredRecord(granted, request.token());
        });
    return answer[0];
  }

  @Override
  public void complete(Claim.Granted grant, Outcome outcome, Duration retention) {
    State state = outcome.failed() ? State.FAILED : State.COMPLETED;
    boolean changed =
        change(
            grant,
            (it, now) ->
                with(it, state, it.leaseUntil(), now.plus(retention), Optional.of(outcome)));
    requireOwned(grant, changed || isDoneBy(grant));
  }

  @Override
  public void release(Claim.Granted grant) {
    requireOwned(grant, change(grant, (it, now) -> opened(it)));
  }

  @Override
  public void renew(Claim.Granted grant, Duration lease) {
    requireOwned(
        grant,
        change(
            grant,
            (it, now) -> {
              Duration retention = Duration.between(it.leaseUntil(), it.expiresAt());
              Instant until = now.plus(lease);
              return with(it, it.state(), until, until.plus(retention), Optional.empty());
            }));
  }

  @Override
  public boolean reopen(Key key) {
    return change(key, (it, now) -> it.state() == State.IN_PROGRESS, (it, now) -> opened(it));
  }

  @Override
  public boolean expire(Key key) {
    return change(
        key,
        (it, now) -> it.state() != State.IN_PROGRESS || isLapsed(it, now),
        (it, now) -> with(it, it.state(), it.leaseUntil(), now, it.outcome()));
  }

  @Override
  public int purge(Purge purge) {
    Instant now = clock.instant();
    int removed = 0;
    Iterator<StoredRecord> all = records.values().iterator();
    while (removed < purge.limit() && all.hasNext()) {
      StoredRecord stored = all.next();
      RecordView it = stored.view();
      boolean selected = purge.tenant().isEmpty() || purge.tenant().get().equals(it.key().tenant());
      if (selected && isExpired(it, now) && records.remove(it.key(), stored)) {
        removed++;
      }
    }
    return removed;
  }

  @Override
  public Optional<RecordView> find(Key key) {
    Instant now = clock.instant();
    StoredRecord found = records.get(key);
    if (found == null || isExpired(found.view(), now)) {
      return Optional.empty();
    }
    RecordView it = found.view();
    boolean uncertain = isLapsed(it, now) && it.recovery() == Recovery.ASK;
    return Optional.of(
        uncertain
            ? with(it, State.UNCERTAIN, it.leaseUntil(), it.expiresAt(), Optional.empty())
            : it);
  }

  @Override
  public List<RecordEntry> list(RecordQuery query) {
    return records.keySet().stream()
        .filter(it -> it.tenant().equals(query.tenant()) && it.scope().equals(query.scope()))
        .filter(it -> BYTES.compare(it.value(), query.after()) > 0)
        .sorted(Comparator.comparing(Key::value, BYTES))
        .flatMap(it -> find(it).stream())
        .limit(query.limit())
        .map(InMemoryRecordStore::entry)
        .toList();
  }

  @Override
  public Usage usage(String tenant, Usage enough) {
    Instant now = clock.instant();
    long keys = 0;
    long bytes = 0;
    for (StoredRecord stored : records.values()) {
      RecordView it = stored.view();
      if (it.key().tenant().equals(tenant) && !isExpired(it, now)) {
        keys++;
        bytes += it.outcome().map(InMemoryRecordStore::bytesOf).orElse(0L);
      }
    }
    return new Usage(keys, bytes);
  }

  private static long bytesOf(Outcome outcome) {
    long payload = outcome.payload() instanceof Payload.Bytes it ? it.size() : 0;
    return payload + outcome.headers().toText().length();
  }

  /** The record's answer to {@code request}, or null if the claim is to be granted. */
  private static @Nullable Claim answer(StoredRecord stored, ClaimRequest request, Instant now) {
    RecordView old = stored.view();
    if (!old.fingerprint().equals(request.fingerprint())) {
      return new Claim.Mismatched();
    }
    if (isDone(old)) {
      return new Claim.Replay(old.outcome().orElseThrow(), old.correlation());
    }
    boolean same = stored.token() == request.token();
    if (old.state() == State.OPEN) {
      return same ? new Claim.Held(Duration.ZERO) : null; // The same: a copy that arrived late.
    }
    if (!isLapsed(old, now)) {
      return same ? grantOf(old) : new Claim.Held(Duration.between(now, old.leaseUntil()));
    }
    boolean rerun = old.recovery() == Recovery.RERUN && old.attempts() < request.maxAttempts();
    return rerun || request.reconciling() || same ? null : new Claim.Uncertain();
  }

  private static Claim.Granted grantOf(RecordView it) {
    return new Claim.Granted(it.key(), it.fence(), it.attempts());
  }

  private RecordView grant(@Nullable RecordView old, ClaimRequest request, Instant now) {
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
        leaseUntil.plus(request.retention()),
        request.correlation(),
        Optional.empty());
  }

  /** A take-over cannot make an effect repeatable that its first owner declared unrepeatable. */
  private static boolean mustAsk(@Nullable RecordView old) {
    return old != null && old.state() == State.IN_PROGRESS && old.recovery() == Recovery.ASK;
  }

  /** Applies {@code step} if {@code grant} still owns its record, and returns whether it did. */
  private boolean change(Claim.Granted grant, BiFunction<RecordView, Instant, RecordView> step) {
    return change(
        grant.key(),
        (it, now) -> it.fence() == grant.fence() && it.state() == State.IN_PROGRESS,
        step);
  }

  /**
   * Applies {@code step} to the record of {@code key} if it exists and {@code allowed} accepts it.
   */
  private boolean change(
      Key key,
      BiPredicate<RecordView, Instant> allowed,
      BiFunction<RecordView, Instant, RecordView> step) {
    boolean[] changed = new boolean[1];
    records.computeIfPresent(
        key,
        (same, stored) -> {
          Instant now = clock.instant();
          RecordView it = stored.view();
          changed[0] = !isExpired(it, now) && allowed.test(it, now);
          return changed[0] ? new StoredRecord(step.apply(it, now), stored.token()) : stored;
        });
    return changed[0];
  }

  /** Whether the record was completed under this grant: no other grant has its fence. */
  private boolean isDoneBy(Claim.Granted grant) {
    return find(grant.key()).filter(it -> isDone(it) && it.fence() == grant.fence()).isPresent();
  }

  private static void requireOwned(Claim.Granted grant, boolean owned) {
    if (!owned) {
      throw new LeaseLostException(grant.key(), grant.fence());
    }
  }

  private static boolean isExpired(RecordView it, Instant now) {
    return !now.isBefore(it.expiresAt());
  }

  private static boolean isLapsed(RecordView it, Instant now) {
    return it.state() == State.IN_PROGRESS && !now.isBefore(it.leaseUntil());
  }

  private static boolean isDone(RecordView it) {
    return it.state() == State.COMPLETED || it.state() == State.FAILED;
  }

  private static RecordEntry entry(RecordView it) {
    return new RecordEntry(
        it.key(), it.state(), it.fingerprint(), it.attempts(), it.createdAt(), it.expiresAt());
  }

  private static RecordView opened(RecordView it) {
    return with(it, State.OPEN, it.leaseUntil(), it.expiresAt(), Optional.empty());
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

  /**
   * A record and the token of the claim that got its newest grant.
   *
   * @param view the record as it is found
   * @param token recognises that claim if it is sent again
   */
  private record StoredRecord(RecordView view, long token) {}
}
