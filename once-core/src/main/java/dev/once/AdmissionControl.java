package dev.once;

import dev.once.TenantLimits.Limit;
import dev.once.spi.Claim;
import dev.once.spi.RecordStore;
import dev.once.spi.RecordUsage;
import dev.once.spi.RecordView;
import dev.once.spi.Usage;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Checks a tenant's limits before a claim. Within the limits, the claim goes to the store. At a
 * limit on keys or bytes, only keys that have a record are claimed. At the limit on effects in
 * flight, a key is answered from its record and not claimed. Any other call is refused before
 * anything is written. An engine shares this object with all engines that {@link Once#joining}
 * makes from it.
 */
final class AdmissionControl {
  /** How many tenants are remembered at a time, besides those with effects in flight. */
  static final int MAX_TENANTS = 10_000;

  /** Effects end at any time; retrying more often than this only adds load. */
  static final Duration RETRY_IN_FLIGHT = Duration.ofSeconds(1);

  private final Function<String, TenantLimits> limits;
  private final @Nullable RecordUsage usage;
  private final LongSupplier nanos;
  private final Map<String, TenantUse> tenants = new ConcurrentHashMap<>();

  AdmissionControl(Function<String, TenantLimits> limits, RecordStore store, LongSupplier nanos) {
    this.limits = limits;
    this.usage = store instanceof RecordUsage it ? it : null;
    this.nanos = nanos;
  }

  /** Claims the key of {@code request}. The caller closes the permit that comes with a grant. */
  ClaimAttempt claim(Request<?> request, ClaimSender claims) {
    RecordStore store = claims.store();
    String tenant = request.key().tenant();
    TenantLimits max = limits.apply(tenant);
    if (max.equals(TenantLimits.NONE)) {
      return ClaimAttempt.by(request, claims);
    }
    Optional<Permit> entered = enter(tenant, max.maxInFlight());
    if (entered.isEmpty()) {
      return known(
          request,
          store,
          new TenantLimitException(tenant, Limit.IN_FLIGHT, max.maxInFlight(), RETRY_IN_FLIGHT));
    }
    Permit permit = entered.get();
    boolean granted = false;
    try {
      Optional<TenantLimitException> full = full(tenant, max, store);
      // A key that has a record adds none: a released or unfinished effect may continue.
      if (full.isPresent() && store.find(request.key()).isEmpty()) {
        throw full.get();
      }
      ClaimAttempt claimAttempt = ClaimAttempt.by(request, claims);
      if (claimAttempt.claim() instanceof Claim.Granted grant) {
        granted = true;
        count(grant);
        return claimAttempt.with(permit);
      }
      return claimAttempt;
    } finally {
      if (!granted) {
        permit.close();
      }
    }
  }

  /** Answers from the record without a claim; nothing is written. */
  private static ClaimAttempt known(
      Request<?> request, RecordStore store, TenantLimitException refused) {
    long sent = System.nanoTime();
    Claim claim =
        store.find(request.key()).flatMap(it -> answer(it, request)).orElseThrow(() -> refused);
    return new ClaimAttempt(claim, sent, false, Permit.NONE);
  }

  /** The record's answer; empty if a call would have to execute or to reconcile. */
  private static Optional<Claim> answer(RecordView record, Request<?> request) {
    if (!record.fingerprint().equals(request.fingerprint())) {
      return Optional.of(new Claim.Mismatched());
    }
    return switch (record.state()) {
      case COMPLETED, FAILED ->
          record.outcome().map(it -> new Claim.Replay(it, record.correlation()));
      // Only the store's clock knows how much is left; the lease may even have run out.
      case IN_PROGRESS -> Optional.of(new Claim.Held(Duration.ZERO));
      case UNCERTAIN ->
          request.reconciler().isPresent() ? Optional.empty() : Optional.of(new Claim.Uncertain());
      case OPEN -> Optional.empty();
    };
  }

  private Optional<TenantLimitException> full(String tenant, TenantLimits max, RecordStore store) {
    TenantUse use = tenants.get(tenant);
    if (use == null || !max.needsUsage()) {
      return Optional.empty();
    }
    RecordUsage source = sourceFor(store);
    use.measure(() -> source.usage(tenant, new Usage(max.maxLiveKeys(), max.maxBytes())));
    Usage has = use.usage();
    if (has.keys() >= max.maxLiveKeys()) {
      return Optional.of(full(tenant, Limit.LIVE_KEYS, max.maxLiveKeys()));
    }
    return has.bytes() >= max.maxBytes()
        ? Optional.of(full(tenant, Limit.BYTES, max.maxBytes()))
        : Optional.empty();
  }

  private static TenantLimitException full(String tenant, Limit limit, long max) {
    return new TenantLimitException(tenant, limit, max, TenantUse.MEASURE_EVERY);
  }

  /** In a caller's transaction, uses its connection: a wait for a second one may never end. */
  private RecordUsage sourceFor(RecordStore store) {
    if (store instanceof RecordUsage it) {
      return it;
    }
    if (usage == null) {
      throw new IllegalStateException(
          "limits on keys or bytes need a store that is a RecordUsage, which %s is not"
              .formatted(store.getClass().getName()));
    }
    return usage;
  }

  private void count(Claim.Granted grant) {
    TenantUse use = tenants.get(grant.key().tenant());
    if (use != null && grant.attempt() == 1) {
      use.grantedNewKey();
    }
  }

  private Optional<Permit> enter(String tenant, long max) {
    boolean[] entered = new boolean[1];
    tenants.compute(
        tenant,
        (same, known) -> {
          TenantUse use = known == null ? new TenantUse(nanos) : known;
          entered[0] = use.enter(max);
          return use;
        });
    if (tenants.size() > MAX_TENANTS) {
      forgetIdle();
    }
    return entered[0] ? Optional.of(new Permit(() -> leave(tenant))) : Optional.empty();
  }

  private void leave(String tenant) {
    tenants.computeIfPresent(
        tenant,
        (same, use) -> {
          use.leave();
          return use.isIdle() && !use.isMeasured() ? null : use;
        });
  }

  /** A forgotten tenant is measured again with its next call. */
  private void forgetIdle() {
    for (String tenant : tenants.keySet()) {
      tenants.computeIfPresent(tenant, (same, use) -> use.isIdle() ? null : use);
    }
  }
}
