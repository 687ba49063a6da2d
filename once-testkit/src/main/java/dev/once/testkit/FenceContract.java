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
    TestClaim ask = TestClaim.forNewKey();
    Claim.Granted first = ask.grantedBy(store());
    elapse(TestClaim.LEASE);

    Claim.Granted second = ask.grantedBy(otherStore());

    assertThat(second.fence()).isGreaterThan(first.fence());
  }

  @Test
  default void raisesTheFenceAfterARelease() {
    TestClaim ask = TestClaim.forNewKey();
    Claim.Granted first = ask.grantedBy(store());
    store().release(first);

    Claim.Granted second = ask.grantedBy(otherStore());

    assertThat(second.fence()).isGreaterThan(first.fence());
  }

  @Test
  default void raisesTheFenceAfterExpiry() {
    TestClaim ask = TestClaim.forNewKey();
    ask.grantedBy(store());
    elapse(TestClaim.LEASE);
    Claim.Granted second = ask.grantedBy(store());
    elapse(TestClaim.LIFETIME);

    Claim.Granted third = ask.grantedBy(otherStore());

    assertThat(third.fence()).isGreaterThan(second.fence());
    assertThat(third.attempt()).isEqualTo(1);
  }

  @Test
  default void raisesTheFenceAfterAPurge() {
    TestClaim ask = TestClaim.forNewKey();
    ask.grantedBy(store());
    elapse(TestClaim.LEASE);
    Claim.Granted second = ask.grantedBy(store());
    elapse(TestClaim.LIFETIME);
    admin().purge(Purge.of(ask.key().tenant(), 10));

    Claim.Granted third = ask.grantedBy(otherStore());

    assertThat(third.fence()).isGreaterThan(second.fence());
    assertThat(third.attempt()).isEqualTo(1);
  }

  @Test
  default void raisesTheFenceForAReconciler() {
    TestClaim ask = TestClaim.forNewKey().withRecovery(Recovery.ASK);
    Claim.Granted first = ask.grantedBy(store());
    elapse(TestClaim.LEASE);

    Claim.Granted reconciler = ask.reconciledBy(otherStore());

    assertThat(reconciler.fence()).isGreaterThan(first.fence());
    assertThat(reconciler.attempt()).isEqualTo(2);
  }

  @Test
  default void refusesTheLateCompletionOfAPausedOwner() {
    TestClaim ask = TestClaim.forNewKey();
    Claim.Granted paused = ask.grantedBy(store());
    elapse(TestClaim.LEASE);
    Claim.Granted successor = ask.grantedBy(otherStore());

    assertRefused(ask, paused, () -> store().complete(paused, Outcomes.FIRST, TestClaim.RETENTION));

    otherStore().complete(successor, Outcomes.SECOND, TestClaim.RETENTION);
    assertRefused(ask, paused, () -> store().complete(paused, Outcomes.FIRST, TestClaim.RETENTION));
  }

  @Test
  default void refusesTheLateReleaseOfAPausedOwner() {
    TestClaim ask = TestClaim.forNewKey();
    Claim.Granted paused = ask.grantedBy(store());
    elapse(TestClaim.LEASE);
    Claim.Granted successor = ask.grantedBy(otherStore());

    assertRefused(ask, paused, () -> store().release(paused));

    otherStore().complete(successor, Outcomes.SECOND, TestClaim.RETENTION);
    assertRefused(ask, paused, () -> store().release(paused));
  }

  @Test
  default void refusesTheLateRenewalOfAPausedOwner() {
    TestClaim ask = TestClaim.forNewKey();
    Claim.Granted paused = ask.grantedBy(store());
    elapse(TestClaim.LEASE);
    Claim.Granted successor = ask.grantedBy(otherStore());

    assertRefused(ask, paused, () -> store().renew(paused, TestClaim.LEASE.multipliedBy(2)));

    otherStore().complete(successor, Outcomes.SECOND, TestClaim.RETENTION);
    assertRefused(ask, paused, () -> store().renew(paused, TestClaim.LEASE));
  }

  @Test
  default void refusesAPausedOwnerAfterItsSuccessorGaveTheKeyBack() {
    TestClaim ask = TestClaim.forNewKey();
    Claim.Granted paused = ask.grantedBy(store());
    elapse(TestClaim.LEASE);
    otherStore().release(ask.grantedBy(otherStore()));

    assertRefused(ask, paused, () -> store().complete(paused, Outcomes.FIRST, TestClaim.RETENTION));
    assertRefused(ask, paused, () -> store().release(paused));
    assertRefused(ask, paused, () -> store().renew(paused, TestClaim.LEASE));
  }

  @Test
  default void refusesAPausedOwnerAfterAReconcilerCompleted() {
    TestClaim ask = TestClaim.forNewKey().withRecovery(Recovery.ASK);
    Claim.Granted paused = ask.grantedBy(store());
    elapse(TestClaim.LEASE);
    otherStore().complete(ask.reconciledBy(otherStore()), Outcomes.SECOND, TestClaim.RETENTION);

    assertRefused(ask, paused, () -> store().complete(paused, Outcomes.FIRST, TestClaim.RETENTION));
    assertRefused(ask, paused, () -> store().release(paused));
  }

  @Test
  default void refusesAnOwnerWhoseRecordExpiredAndWasClaimedAnew() {
    TestClaim ask = TestClaim.forNewKey();
    Claim.Granted old = ask.grantedBy(store());
    elapse(TestClaim.LIFETIME);
    ask.grantedBy(otherStore());

    assertRefused(ask, old, () -> store().complete(old, Outcomes.FIRST, TestClaim.RETENTION));
    assertRefused(ask, old, () -> store().release(old));
    assertRefused(ask, old, () -> store().renew(old, TestClaim.LEASE));
  }

  @Test
  default void refusesEverythingAfterARelease() {
    TestClaim ask = TestClaim.forNewKey();
    Claim.Granted grant = ask.grantedBy(store());
    store().release(grant);

    assertRefused(ask, grant, () -> store().complete(grant, Outcomes.FIRST, TestClaim.RETENTION));
    assertRefused(ask, grant, () -> store().release(grant));
    assertRefused(ask, grant, () -> store().renew(grant, TestClaim.LEASE));
  }

  @Test
  default void refusesToReleaseOrRenewWhatItsOwnerCompleted() {
    TestClaim ask = TestClaim.forNewKey();
    Claim.Granted grant = ask.grantedBy(store());
    store().complete(grant, Outcomes.FIRST, TestClaim.RETENTION);

    assertRefused(ask, grant, () -> store().release(grant));
    assertRefused(ask, grant, () -> store().renew(grant, TestClaim.LEASE));
  }

  @Test
  default void keepsTheFirstOutcomeWhenAGrantCompletesAgain() {
    TestClaim ask = TestClaim.forNewKey();
    Claim.Granted grant = ask.grantedBy(store());
    store().complete(grant, Outcomes.FIRST, TestClaim.RETENTION);
    RecordView before = ask.viewIn(store());

    store().complete(grant, Outcomes.FIRST, TestClaim.RETENTION);
    otherStore().complete(grant, Outcomes.SECOND, TestClaim.RETENTION.multipliedBy(3));

    assertThat(ask.viewIn(store())).isEqualTo(before);
    assertThat(store().claim(ask.request()))
        .isEqualTo(new Claim.Replay(Outcomes.FIRST, Headers.NONE));
  }

  @Test
  default void letsALateOwnerFinishWithoutATakeOver() {
    TestClaim ask = TestClaim.forNewKey();
    Claim.Granted late = ask.grantedBy(store());
    elapse(TestClaim.LEASE);

    store().complete(late, Outcomes.FIRST, TestClaim.RETENTION);

    assertThat(otherStore().claim(ask.request()))
        .isEqualTo(new Claim.Replay(Outcomes.FIRST, Headers.NONE));
  }

  @Test
  default void refusesAGrantThatWasNeverGiven() {
    TestClaim ask = TestClaim.forNewKey();
    Claim.Granted real = ask.grantedBy(store());
    Claim.Granted forged = new Claim.Granted(ask.key(), real.fence() + 1_000, 1);

    assertRefused(ask, forged, () -> store().complete(forged, Outcomes.FIRST, TestClaim.RETENTION));
    assertRefused(ask, forged, () -> store().release(forged));
    assertRefused(ask, forged, () -> store().renew(forged, TestClaim.LEASE));
  }

  @Test
  default void refusesAGrantForAKeyThatHasNoRecord() {
    Claim.Granted grant = new Claim.Granted(TestClaim.forNewKey().key(), 1, 1);

    assertLost(grant, () -> store().complete(grant, Outcomes.FIRST, TestClaim.RETENTION));
    assertLost(grant, () -> store().release(grant));
    assertLost(grant, () -> store().renew(grant, TestClaim.LEASE));
    assertThat(store().find(grant.key())).isEmpty();
  }

  private void assertRefused(TestClaim ask, Claim.Granted grant, ThrowingCallable action) {
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
