package dev.once.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.once.Headers;
import dev.once.LeaseLostException;
import dev.once.Recovery;
import dev.once.spi.Claim;
import dev.once.spi.Purge;
import dev.once.spi.RecordView;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** A later grant has a higher fence, and a grant that is not the newest changes nothing. */
interface FenceContract extends StoreUnderTest {
  @Test
  default void raisesTheFenceWhenALeaseIsTakenOver() {
    Ask ask = Ask.forNewKey();
    Claim.Granted first = ask.grantedBy(store());
    elapse(Ask.LEASE);

    Claim.Granted second = ask.grantedBy(otherStore());

    assertThat(second.fence()).isGreaterThan(first.fence());
  }

  @Test
  default void raisesTheFenceAfterARelease() {
    Ask ask = Ask.forNewKey();
    Claim.Granted first = ask.grantedBy(store());
    store().release(first);

    Claim.Granted second = ask.grantedBy(otherStore());

    assertThat(second.fence()).isGreaterThan(first.fence());
  }

  @Test
  default void raisesTheFenceAfterExpiry() {
    Ask ask = Ask.forNewKey();
    ask.grantedBy(store());
    elapse(Ask.LEASE);
    Claim.Granted second = ask.grantedBy(store());
    elapse(Ask.LIFETIME);

    Claim.Granted third = ask.grantedBy(otherStore());

    assertThat(third.fence()).isGreaterThan(second.fence());
    assertThat(third.attempt()).isEqualTo(1);
  }

  @Test
  default void raisesTheFenceAfterAPurge() {
    Ask ask = Ask.forNewKey();
    ask.grantedBy(store());
    elapse(Ask.LEASE);
    Claim.Granted second = ask.grantedBy(store());
    elapse(Ask.LIFETIME);
    store().purge(Purge.of(ask.key().tenant(), 10));

    Claim.Granted third = ask.grantedBy(otherStore());

    assertThat(third.fence()).isGreaterThan(second.fence());
    assertThat(third.attempt()).isEqualTo(1);
  }

  @Test
  default void raisesTheFenceForAReconciler() {
    Ask ask = Ask.forNewKey().withRecovery(Recovery.ASK);
    Claim.Granted first = ask.grantedBy(store());
    elapse(Ask.LEASE);

    Claim.Granted reconciler = ask.reconciledBy(otherStore());

    assertThat(reconciler.fence()).isGreaterThan(first.fence());
    assertThat(reconciler.attempt()).isEqualTo(2);
  }

  @Test
  default void refusesTheLateCompletionOfAPausedOwner() {
    Ask ask = Ask.forNewKey();
    Claim.Granted paused = ask.grantedBy(store());
    elapse(Ask.LEASE);
    Claim.Granted successor = ask.grantedBy(otherStore());

    assertRefused(ask, paused, () -> store().complete(paused, Outcomes.FIRST, Ask.RETENTION));

    otherStore().complete(successor, Outcomes.SECOND, Ask.RETENTION);
    assertRefused(ask, paused, () -> store().complete(paused, Outcomes.FIRST, Ask.RETENTION));
  }

  @Test
  default void refusesTheLateReleaseOfAPausedOwner() {
    Ask ask = Ask.forNewKey();
    Claim.Granted paused = ask.grantedBy(store());
    elapse(Ask.LEASE);
    Claim.Granted successor = ask.grantedBy(otherStore());

    assertRefused(ask, paused, () -> store().release(paused));

    otherStore().complete(successor, Outcomes.SECOND, Ask.RETENTION);
    assertRefused(ask, paused, () -> store().release(paused));
  }

  @Test
  default void refusesTheLateRenewalOfAPausedOwner() {
    Ask ask = Ask.forNewKey();
    Claim.Granted paused = ask.grantedBy(store());
    elapse(Ask.LEASE);
    Claim.Granted successor = ask.grantedBy(otherStore());

    assertRefused(ask, paused, () -> store().renew(paused, Ask.LEASE.multipliedBy(2)));

    otherStore().complete(successor, Outcomes.SECOND, Ask.RETENTION);
    assertRefused(ask, paused, () -> store().renew(paused, Ask.LEASE));
  }

  @Test
  default void refusesAPausedOwnerAfterItsSuccessorGaveTheKeyBack() {
    Ask ask = Ask.forNewKey();
    Claim.Granted paused = ask.grantedBy(store());
    elapse(Ask.LEASE);
    otherStore().release(ask.grantedBy(otherStore()));

    assertRefused(ask, paused, () -> store().complete(paused, Outcomes.FIRST, Ask.RETENTION));
    assertRefused(ask, paused, () -> store().release(paused));
    assertRefused(ask, paused, () -> store().renew(paused, Ask.LEASE));
  }

  @Test
  default void refusesAPausedOwnerAfterAReconcilerCompleted() {
    Ask ask = Ask.forNewKey().withRecovery(Recovery.ASK);
    Claim.Granted paused = ask.grantedBy(store());
    elapse(Ask.LEASE);
    otherStore().complete(ask.reconciledBy(otherStore()), Outcomes.SECOND, Ask.RETENTION);

    assertRefused(ask, paused, () -> store().complete(paused, Outcomes.FIRST, Ask.RETENTION));
    assertRefused(ask, paused, () -> store().release(paused));
  }

  @Test
  default void refusesAnOwnerWhoseRecordExpiredAndWasClaimedAnew() {
    Ask ask = Ask.forNewKey();
    Claim.Granted old = ask.grantedBy(store());
    elapse(Ask.LIFETIME);
    ask.grantedBy(otherStore());

    assertRefused(ask, old, () -> store().complete(old, Outcomes.FIRST, Ask.RETENTION));
    assertRefused(ask, old, () -> store().release(old));
    assertRefused(ask, old, () -> store().renew(old, Ask.LEASE));
  }

  @Test
  default void refusesEverythingAfterARelease() {
    Ask ask = Ask.forNewKey();
    Claim.Granted grant = ask.grantedBy(store());
    store().release(grant);

    assertRefused(ask, grant, () -> store().complete(grant, Outcomes.FIRST, Ask.RETENTION));
    assertRefused(ask, grant, () -> store().release(grant));
    assertRefused(ask, grant, () -> store().renew(grant, Ask.LEASE));
  }

  @Test
  default void refusesToReleaseOrRenewWhatItsOwnerCompleted() {
    Ask ask = Ask.forNewKey();
    Claim.Granted grant = ask.grantedBy(store());
    store().complete(grant, Outcomes.FIRST, Ask.RETENTION);

    assertRefused(ask, grant, () -> store().release(grant));
    assertRefused(ask, grant, () -> store().renew(grant, Ask.LEASE));
  }

  @Test
  default void keepsTheFirstOutcomeWhenAGrantCompletesAgain() {
    Ask ask = Ask.forNewKey();
    Claim.Granted grant = ask.grantedBy(store());
    store().complete(grant, Outcomes.FIRST, Ask.RETENTION);
    RecordView before = ask.viewIn(store());

    store().complete(grant, Outcomes.FIRST, Ask.RETENTION);
    otherStore().complete(grant, Outcomes.SECOND, Ask.RETENTION.multipliedBy(3));

    assertThat(ask.viewIn(store())).isEqualTo(before);
    assertThat(store().claim(ask.request()))
        .isEqualTo(new Claim.Replay(Outcomes.FIRST, Headers.NONE));
  }

  @Test
  default void letsALateOwnerFinishIfNobodyTookOver() {
    Ask ask = Ask.forNewKey();
    Claim.Granted late = ask.grantedBy(store());
    elapse(Ask.LEASE);

    store().complete(late, Outcomes.FIRST, Ask.RETENTION);

    assertThat(otherStore().claim(ask.request()))
        .isEqualTo(new Claim.Replay(Outcomes.FIRST, Headers.NONE));
  }

  @Test
  default void refusesAGrantThatWasNeverGiven() {
    Ask ask = Ask.forNewKey();
    Claim.Granted real = ask.grantedBy(store());
    Claim.Granted forged = new Claim.Granted(ask.key(), real.fence() + 1_000, 1);

    assertRefused(ask, forged, () -> store().complete(forged, Outcomes.FIRST, Ask.RETENTION));
    assertRefused(ask, forged, () -> store().release(forged));
    assertRefused(ask, forged, () -> store().renew(forged, Ask.LEASE));
  }

  @Test
  default void refusesAGrantForAKeyThatHasNoRecord() {
    Claim.Granted grant = new Claim.Granted(Ask.forNewKey().key(), 1, 1);

    assertLost(grant, () -> store().complete(grant, Outcomes.FIRST, Ask.RETENTION));
    assertLost(grant, () -> store().release(grant));
    assertLost(grant, () -> store().renew(grant, Ask.LEASE));
    assertThat(store().find(grant.key())).isEmpty();
  }

  private void assertRefused(Ask ask, Claim.Granted grant, ThrowingCallable action) {
    RecordView before = ask.viewIn(store());
    assertLost(grant, action);
    assertThat(ask.viewIn(store())).as("the record after a refusal").isEqualTo(before);
  }

  private static void assertLost(Claim.Granted grant, ThrowingCallable action) {
    assertThatThrownBy(action)
        .isInstanceOfSatisfying(
            LeaseLostException.class,
            lost -> {
              assertThat(lost.key()).isEqualTo(grant.key());
              assertThat(lost.fence()).isEqualTo(grant.fence());
            });
  }
}
