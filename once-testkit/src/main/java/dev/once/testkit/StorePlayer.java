package dev.once.testkit;

import dev.once.Fingerprint;
import dev.once.Headers;
import dev.once.Key;
import dev.once.LeaseLostException;
import dev.once.Outcome;
import dev.once.Payload;
import dev.once.spi.Claim;
import dev.once.spi.ClaimRequest;
import dev.once.spi.Purge;
import dev.once.spi.RecordAdmin;
import dev.once.spi.RecordStore;
import dev.once.spi.RecordView;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * Plays a history on a real store, under a tenant of its own. Fences are answered as the number of
 * the grant they belong to, and times as minutes, so that no answer depends on the store's numbers
 * or on how long it took.
 */
final class StorePlayer implements HistoryPlayer {
  static final List<Outcome> OUTCOMES =
      List.of(
          Outcomes.FIRST,
          Outcome.failed(Payload.of(new byte[] {0})),
          Outcome.completed(Payload.NONE),
          Outcome.completed(Payload.of(new byte[0])),
          Outcome.completed(new Payload.Dropped(7)));

  private static final List<Fingerprint> REQUESTS =
      List.of(TestClaim.FINGERPRINT, TestClaim.OTHER_FINGERPRINT);

  private static final int PLENTY = 100;

  private final StoreUnderTest subject;
  private final RecordStore store;
  private final RecordAdmin admin;
  private final String tenant = "history-" + UUID.randomUUID();
  private final List<Claim.Granted> grants = new ArrayList<>();

  StorePlayer(StoreUnderTest subject) {
    this.subject = subject;
    this.store = subject.store();
    this.admin = subject.admin();
  }

  @Override
  public String claim(HistoryStep.Claim step) {
    ClaimRequest request =
        ClaimRequest.of(
                key(step.key()),
                Duration.ofMinutes(step.leaseMinutes()),
                Duration.ofMinutes(step.retentionMinutes()))
            .withFingerprint(REQUESTS.get(step.request()))
            .withRecovery(step.recovery())
            .withMaxAttempts(step.maxAttempts())
            .withCorrelation(Headers.NONE.with("grant", Integer.toString(grants.size())))
            .withReconciling(step.reconciling());
    Claim claim = store.claim(request);
    if (claim instanceof Claim.Granted grant) {
      return granted(grant);
    }
    if (claim instanceof Claim.Replay replay) {
      return "replay of outcome " + number(replay.outcome()) + ", grant " + owner(replay);
    }
    if (claim instanceof Claim.Held held) {
      return "held for " + held.leaseLeft().plusMinutes(1).minusNanos(1).toMinutes() + " min";
    }
    return claim instanceof Claim.Mismatched ? "mismatched" : "uncertain";
  }

  @Override
  public String complete(HistoryStep.Complete step) {
    Outcome outcome = OUTCOMES.get(step.outcome());
    Duration retention = Duration.ofMinutes(step.retentionMinutes());
    return grants.isEmpty()
        ? NO_GRANT
        : attempt(() -> store.complete(grant(step.grantsAgo()), outcome, retention));
  }

  @Override
  public String release(HistoryStep.Release step) {
    return grants.isEmpty() ? NO_GRANT : attempt(() -> store.release(grant(step.grantsAgo())));
  }

  @Override
  public String renew(HistoryStep.Renew step) {
    Duration lease = Duration.ofMinutes(step.leaseMinutes());
    return grants.isEmpty() ? NO_GRANT : attempt(() -> store.renew(grant(step.grantsAgo()), lease));
  }

  @Override
  public String reopen(HistoryStep.Reopen step) {
    return admin.reopen(key(step.key())) ? DONE : LEFT_ALONE;
  }

  @Override
  public String expire(HistoryStep.Expire step) {
    return admin.expire(key(step.key())) ? DONE : LEFT_ALONE;
  }

  @Override
  public String elapse(HistoryStep.Elapse step) {
    subject.elapse(Duration.ofMinutes(step.minutes()));
    return DONE;
  }

  @Override
  public String purge() {
    return "purged " + admin.purge(Purge.of(tenant, PLENTY));
  }

  @Override
  public String find(HistoryStep.Find step) {
    return store.find(key(step.key())).map(this::describe).orElse("nothing");
  }

  private String describe(RecordView it) {
    return it.state().word()
        + (" request " + REQUESTS.indexOf(it.fingerprint()))
        + (" grant " + number(it.key(), it.fence()))
        + (" attempts " + it.attempts())
        + (" " + it.recovery())
        + (" lease until +" + minutes(it.createdAt(), it.leaseUntil()))
        + (" expires +" + minutes(it.createdAt(), it.expiresAt()))
        + it.outcome().map(outcome -> " outcome " + number(outcome)).orElse("");
  }

  private String granted(Claim.Granted grant) {
    String higher = isHighest(grant) ? "" : " whose fence is not the highest: " + grant.fence();
    grants.add(grant);
    return "grant " + (grants.size() - 1) + ", attempt " + grant.attempt() + higher;
  }

  private boolean isHighest(Claim.Granted grant) {
    return grants.stream()
        .filter(it -> it.key().equals(grant.key()))
        .allMatch(it -> it.fence() < grant.fence());
  }

  private Claim.Granted grant(int grantsAgo) {
    return grants.get(grants.size() - 1 - grantsAgo % grants.size());
  }

  private int number(Key key, long fence) {
    for (int i = 0; i < grants.size(); i++) {
      if (grants.get(i).key().equals(key) && grants.get(i).fence() == fence) {
        return i;
      }
    }
    return -1;
  }

  private static String number(Outcome outcome) {
    int index = OUTCOMES.indexOf(outcome);
    return index < 0 ? outcome.toString() : Integer.toString(index);
  }

  private static String owner(Claim.Replay replay) {
    return replay.correlation().first("grant").orElse("unknown");
  }

  private static String attempt(Runnable action) {
    try {
      action.run();
      return DONE;
    } catch (LeaseLostException e) {
      return LOST;
    }
  }

  /** Rounds to the nearest minute: a store takes less than half a minute for its work. */
  private static long minutes(Instant from, Instant to) {
    return Duration.between(from, to).plusSeconds(30).toMinutes();
  }

  private Key key(int number) {
    return new Key(tenant, "history", "key-" + number);
  }
}
