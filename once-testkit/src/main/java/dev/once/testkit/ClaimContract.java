package dev.once.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.Headers;
import dev.once.Recovery;
import dev.once.spi.Claim;
import dev.once.spi.RecordView;
import dev.once.spi.State;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * Which caller is granted a key, and what the others are answered. Claims that are not granted, and
 * finds, change nothing.
 */
interface ClaimContract extends StoreUnderTest {
  @Test
  default void grantsAnUnclaimedKey() {
    TestClaim ask = TestClaim.forNewKey();

    Claim.Granted grant = ask.grantedBy(store());

    assertThat(grant.key()).isEqualTo(ask.key());
    assertThat(grant.attempt()).isEqualTo(1);
  }

  @Test
  default void holdsAKeyWhileItsLeaseRuns() {
    TestClaim ask = TestClaim.forNewKey();
    ask.grantedBy(store());
    elapse(TestClaim.LEASE.minusMinutes(2));

    Claim claim = otherStore().claim(ask.request());

    assertThat(claim).isInstanceOf(Claim.Held.class);
    assertThat(((Claim.Held) claim).leaseLeft())
        .isPositive()
        .isLessThanOrEqualTo(Duration.ofMinutes(2));
  }

  @Test
  default void grantsALapsedLeaseToTheNextClaim() {
    TestClaim ask = TestClaim.forNewKey();
    ask.grantedBy(store());
    elapse(TestClaim.LEASE);

    Claim.Granted second = ask.grantedBy(otherStore());

    assertThat(second.attempt()).isEqualTo(2);
    assertThat(store().claim(ask.request())).isInstanceOf(Claim.Held.class);
  }

  @Test
  default void grantsAReleasedKeyAtOnce() {
    TestClaim ask = TestClaim.forNewKey();
    store().release(ask.grantedBy(store()));

    Claim.Granted second = ask.grantedBy(otherStore());

    assertThat(second.attempt()).isEqualTo(2);
    assertThat(store().claim(ask.request())).isInstanceOf(Claim.Held.class);
  }

  @Test
  default void replaysACompletedKeyToClaimsAndReconcilers() {
    TestClaim ask = TestClaim.forNewKey();
    store().complete(ask.grantedBy(store()), Outcomes.FIRST, TestClaim.RETENTION);

    Claim claim = otherStore().claim(ask.request());
    Claim reconciling = otherStore().claim(ask.request().withReconciling(true));

    assertThat(claim).isEqualTo(new Claim.Replay(Outcomes.FIRST, Headers.NONE));
    assertThat(reconciling).isEqualTo(claim);
  }

  @Test
  default void endsALeaseAtOnceWhenItIsRenewedForNothing() {
    TestClaim ask = TestClaim.forNewKey();
    Claim.Granted first = ask.grantedBy(store());

    store().renew(first, Duration.ZERO);

    assertThat(ask.grantedBy(otherStore()).attempt()).isEqualTo(2);
  }

  @Test
  default void changesNothingForAClaimThatFindsTheKeyHeld() {
    TestClaim ask = TestClaim.forNewKey();
    Claim.Granted owner = ask.grantedBy(store());
    RecordView before = ask.viewIn(store());

    TestClaim impatient = ask.withTimes(Duration.ofSeconds(1), Duration.ofSeconds(1));
    store().claim(impatient.withRecovery(Recovery.ASK).request());
    store().claim(impatient.withMaxAttempts(1).request().withReconciling(true));

    assertThat(ask.viewIn(store())).isEqualTo(before);
    store().complete(owner, Outcomes.FIRST, TestClaim.RETENTION);
  }

  @Test
  default void changesNothingForAReplay() {
    TestClaim ask = TestClaim.forNewKey().withCorrelation(Headers.NONE.with("trace", "first"));
    store().complete(ask.grantedBy(store()), Outcomes.FIRST, TestClaim.RETENTION);
    RecordView before = ask.viewIn(store());

    TestClaim later = ask.withCorrelation(Headers.NONE.with("trace", "second"));
    store().claim(later.withTimes(TestClaim.LEASE, TestClaim.RETENTION.multipliedBy(2)).request());
    store().claim(later.request().withReconciling(true));

    assertThat(ask.viewIn(store())).isEqualTo(before);
  }

  @Test
  default void changesNothingForAClaimThatFindsTheKeyUncertain() {
    TestClaim ask = TestClaim.forNewKey().withRecovery(Recovery.ASK);
    ask.grantedBy(store());
    elapse(TestClaim.LEASE);
    RecordView before = ask.viewIn(store());

    store().claim(ask.request());
    store().claim(ask.withRecovery(Recovery.RERUN).request());

    assertThat(ask.viewIn(otherStore())).isEqualTo(before);
    assertThat(before.state()).isEqualTo(State.UNCERTAIN);
  }

  @Test
  default void findsNothingWhereNothingWasClaimed() {
    TestClaim ask = TestClaim.forNewKey();

    assertThat(store().find(ask.key())).isEmpty();
    assertThat(ask.grantedBy(store()).attempt()).isEqualTo(1);
  }

  @Test
  default void showsTheRecordThatWasClaimed() {
    TestClaim ask = TestClaim.forNewKey().withCorrelation(Headers.NONE.with("trace", "7"));
    Claim.Granted grant = ask.grantedBy(store());

    RecordView view = ask.viewIn(otherStore());

    assertThat(view.state()).isEqualTo(State.IN_PROGRESS);
    assertThat(view.key()).isEqualTo(ask.key());
    assertThat(view.fingerprint()).isEqualTo(TestClaim.FINGERPRINT);
    assertThat(view.fence()).isEqualTo(grant.fence());
    assertThat(view.attempts()).isEqualTo(1);
    assertThat(view.recovery()).isEqualTo(Recovery.RERUN);
    assertThat(view.correlation()).isEqualTo(Headers.NONE.with("trace", "7"));
    assertThat(view.outcome()).isEmpty();
    assertThat(Duration.between(view.createdAt(), view.leaseUntil())).isEqualTo(TestClaim.LEASE);
    assertThat(Duration.between(view.createdAt(), view.expiresAt())).isEqualTo(TestClaim.LIFETIME);
  }

  @Test
  default void showsEachStateByItsName() {
    TestClaim ask = TestClaim.forNewKey();
    store().release(ask.grantedBy(store()));
    State released = ask.viewIn(store()).state();
    store().complete(ask.grantedBy(store()), Outcomes.FIRST, TestClaim.RETENTION);
    RecordView done = ask.viewIn(store());

    assertThat(released).isEqualTo(State.OPEN);
    assertThat(done.state()).isEqualTo(State.COMPLETED);
    assertThat(done.outcome()).contains(Outcomes.FIRST);
    assertThat(done.attempts()).isEqualTo(2);
  }
}
