package dev.once.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.once.LeaseLostException;
import dev.once.Outcome;
import dev.once.Payload;
import dev.once.Recovery;
import dev.once.Terms;
import dev.once.spi.Claim;
import dev.once.spi.RecordView;
import dev.once.spi.State;
import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Lease and retention are separate clocks, and both are the store's. */
interface ExpiryContract extends StoreUnderTest {
  @Test
  default void keepsARecordLongAfterItsLeaseEnded() {
    TestClaim ask = TestClaim.forNewKey();
    ask.grantedBy(store());

    elapse(TestClaim.RETENTION.minusHours(1));

    assertThat(ask.viewIn(store()).attempts()).isEqualTo(1);
    assertThat(ask.grantedBy(store()).attempt()).isEqualTo(2);
  }

  @Test
  default void keepsAnOutcomeForItsOwnRetentionCountedFromTheCompletion() {
    TestClaim ask = TestClaim.forNewKey();
    Claim.Granted grant = ask.grantedBy(store());
    elapse(TestClaim.LEASE.minusMinutes(1));
    store().complete(grant, Outcomes.FIRST, Duration.ofDays(2));

    elapse(Duration.ofDays(2).minusMinutes(1));
    Claim before = store().claim(ask.request());
    elapse(Duration.ofMinutes(1));

    assertThat(before).isInstanceOf(Claim.Replay.class);
    assertThat(store().find(ask.key())).isEmpty();
    assertThat(ask.grantedBy(store()).attempt()).isEqualTo(1);
  }

  @Test
  default void shortensTheRetentionToThatOfTheOutcome() {
    TestClaim ask = TestClaim.forNewKey();
    Claim.Granted grant = ask.grantedBy(store());
    store().complete(grant, Outcome.failed(Payload.NONE), Duration.ofHours(4));

    elapse(Duration.ofHours(4));

    assertThat(store().find(ask.key())).isEmpty();
    ask.grantedBy(store());
  }

  @Test
  default void replaysAnOutcomeWhoseLeaseEndedLongAgo() {
    TestClaim ask = TestClaim.forNewKey();
    store().complete(ask.grantedBy(store()), Outcomes.FIRST, Terms.MAX_RETENTION);

    elapse(Terms.MAX_RETENTION.minusDays(1));

    assertThat(store().claim(ask.request())).isInstanceOf(Claim.Replay.class);
  }

  @Test
  default void replaysAnOutcomeKeptForLessThanTheLeaseOnlyThatLong() {
    TestClaim ask = TestClaim.forNewKey();
    store().complete(ask.grantedBy(store()), Outcomes.FIRST, TestClaim.LEASE.dividedBy(2));

    elapse(TestClaim.LEASE.dividedBy(2));

    assertThat(store().find(ask.key())).isEmpty();
    assertThat(ask.grantedBy(store()).attempt()).isEqualTo(1);
  }

  @Test
  default void holdsAKeyToTheEndOfALeaseEqualToItsRetention() {
    TestClaim ask = TestClaim.forNewKey().withTimes(TestClaim.LEASE, TestClaim.LEASE);
    Claim.Granted owner = ask.grantedBy(store());
    elapse(TestClaim.LEASE.minusMinutes(1));

    Claim claim = otherStore().claim(ask.request());
    store().complete(owner, Outcomes.FIRST, TestClaim.RETENTION);
    elapse(TestClaim.RETENTION.minusMinutes(1));

    assertThat(claim).isInstanceOf(Claim.Held.class);
    assertThat(store().claim(ask.request())).isInstanceOf(Claim.Replay.class);
  }

  @Test
  default void grantsAKeyAnewAfterALeaseEqualToItsRetention() {
    TestClaim ask = TestClaim.forNewKey().withTimes(TestClaim.LEASE, TestClaim.LEASE);
    Claim.Granted first = ask.grantedBy(store());
    elapse(TestClaim.LEASE);

    Claim.Granted second = ask.grantedBy(otherStore());

    assertThat(second.fence()).isGreaterThan(first.fence());
    assertThat(otherStore().claim(ask.request())).isInstanceOf(Claim.Held.class);
  }

  @Test
  default void holdsAKeyToTheEndOfALeaseLongerThanItsRetention() {
    TestClaim ask = TestClaim.forNewKey().withTimes(TestClaim.LEASE, Duration.ofMinutes(1));
    ask.grantedBy(store());

    elapse(TestClaim.LEASE.minusMinutes(1));

    assertThat(store().claim(ask.request())).isInstanceOf(Claim.Held.class);
    RecordView view = ask.viewIn(store());
    assertThat(view.expiresAt()).isAfterOrEqualTo(view.leaseUntil());
  }

  @Test
  default void letsARenewedLeaseOutliveTheRetentionOfItsClaim() {
    TestClaim ask =
        TestClaim.forNewKey().withTimes(TestClaim.LEASE, TestClaim.LEASE.multipliedBy(2));
    Claim.Granted owner = ask.grantedBy(store());
    for (int beat = 0; beat < 5; beat++) {
      elapse(TestClaim.LEASE.minusMinutes(1));
      store().renew(owner, TestClaim.LEASE);
    }

    Claim claim = otherStore().claim(ask.request());
    store().complete(owner, Outcomes.FIRST, TestClaim.RETENTION);

    assertThat(claim).isInstanceOf(Claim.Held.class);
    assertThat(ask.viewIn(store()).state()).isEqualTo(State.COMPLETED);
  }

  @Test
  default void renewsALeaseFromNowOn() {
    TestClaim ask = TestClaim.forNewKey();
    Claim.Granted owner = ask.grantedBy(store());
    elapse(TestClaim.LEASE.minusMinutes(1));
    store().renew(owner, TestClaim.LEASE);

    elapse(TestClaim.LEASE.minusMinutes(1));
    Claim renewed = store().claim(ask.request());
    elapse(Duration.ofMinutes(1));

    assertThat(renewed).isInstanceOf(Claim.Held.class);
    assertThat(ask.grantedBy(store()).attempt()).isEqualTo(2);
  }

  @Test
  default void renewsALapsedLeaseThatWasNotTakenOver() {
    TestClaim ask = TestClaim.forNewKey();
    Claim.Granted owner = ask.grantedBy(store());
    elapse(TestClaim.LEASE.plusMinutes(1));

    store().renew(owner, TestClaim.LEASE);

    assertThat(store().claim(ask.request())).isInstanceOf(Claim.Held.class);
  }

  @Test
  default void countsTheRetentionFromTheEndOfTheLease() {
    TestClaim ask = TestClaim.forNewKey();
    Claim.Granted owner = ask.grantedBy(store());
    RecordView claimed = ask.viewIn(store());

    store().renew(owner, TestClaim.LEASE.multipliedBy(3));
    RecordView renewed = ask.viewIn(store());

    assertThat(Duration.between(claimed.leaseUntil(), claimed.expiresAt()))
        .isEqualTo(TestClaim.RETENTION);
    assertThat(Duration.between(renewed.leaseUntil(), renewed.expiresAt()))
        .isEqualTo(TestClaim.RETENTION);
  }

  /** The trap: a record that expires with its lease is absent when it should be reconciled. */
  @Test
  default void asksAfterALeaseEqualToItsRetention() {
    TestClaim ask =
        TestClaim.forNewKey()
            .withTimes(TestClaim.LEASE, TestClaim.LEASE)
            .withRecovery(Recovery.ASK);
    ask.grantedBy(store());

    elapse(TestClaim.LEASE);

    assertThat(otherStore().claim(ask.request())).isInstanceOf(Claim.Uncertain.class);
  }

  @Test
  default void asksAfterALeaseThatWasRenewedBeyondTheRetentionOfItsClaim() {
    TestClaim ask =
        TestClaim.forNewKey()
            .withTimes(TestClaim.LEASE, TestClaim.LEASE.multipliedBy(2))
            .withRecovery(Recovery.ASK);
    Claim.Granted owner = ask.grantedBy(store());
    for (int beat = 0; beat < 5; beat++) {
      elapse(TestClaim.LEASE.minusMinutes(1));
      store().renew(owner, TestClaim.LEASE);
    }

    elapse(TestClaim.LEASE);

    assertThat(otherStore().claim(ask.request())).isInstanceOf(Claim.Uncertain.class);
  }

  @Test
  default void comparesTheFingerprintAfterALeaseEqualToItsRetention() {
    TestClaim ask = TestClaim.forNewKey().withTimes(TestClaim.LEASE, TestClaim.LEASE);
    ask.grantedBy(store());
    elapse(TestClaim.LEASE);

    Claim other = otherStore().claim(ask.withFingerprint(TestClaim.OTHER_FINGERPRINT).request());

    assertThat(other).isInstanceOf(Claim.Mismatched.class);
  }

  @Test
  default void countsTheRetentionAnewForEachGrant() {
    TestClaim ask = TestClaim.forNewKey();
    ask.grantedBy(store());
    elapse(TestClaim.RETENTION.minusHours(1));
    ask.grantedBy(store());

    elapse(TestClaim.RETENTION.minusHours(1));

    assertThat(ask.viewIn(store()).attempts()).isEqualTo(2);
  }

  @Test
  default void takesAnExpiredRecordAsAbsentBeforeItIsPurged() {
    TestClaim ask = TestClaim.forNewKey();
    Claim.Granted grant = ask.grantedBy(store());
    elapse(TestClaim.LIFETIME);

    assertThat(store().find(ask.key())).isEmpty();
    assertLost(() -> store().complete(grant, Outcomes.FIRST, TestClaim.RETENTION));
    assertLost(() -> store().release(grant));
    assertLost(() -> store().renew(grant, TestClaim.LEASE));
    assertThat(store().find(ask.key())).isEmpty();
  }

  @Test
  default void refusesToCompleteAgainWhatExpired() {
    TestClaim ask = TestClaim.forNewKey();
    Claim.Granted grant = ask.grantedBy(store());
    store().complete(grant, Outcomes.FIRST, TestClaim.RETENTION);
    elapse(TestClaim.LIFETIME);

    assertLost(() -> store().complete(grant, Outcomes.FIRST, TestClaim.RETENTION));
    assertThat(store().find(ask.key())).isEmpty();
  }

  @Test
  default void forgetsAReleasedKeyWhenItExpires() {
    TestClaim ask = TestClaim.forNewKey();
    store().release(ask.grantedBy(store()));
    elapse(TestClaim.LIFETIME);

    assertThat(store().find(ask.key())).isEmpty();
    assertThat(ask.grantedBy(store()).attempt()).isEqualTo(1);
  }

  /** The store is an hour ahead of its caller; the caller's clock has not moved at all. */
  @Test
  default void measuresEverythingWithItsOwnClock() {
    TestClaim ask = TestClaim.forNewKey().withTimes(Duration.ofMinutes(61), TestClaim.RETENTION);
    ask.grantedBy(store());
    RecordView before = ask.viewIn(store());
    elapse(Duration.ofHours(1));

    Claim held = store().claim(ask.request());
    elapse(Duration.ofMinutes(1));
    Claim.Granted second = ask.grantedBy(store());
    RecordView after = ask.viewIn(store());

    assertThat(((Claim.Held) held).leaseLeft()).isLessThanOrEqualTo(Duration.ofMinutes(1));
    assertThat(second.attempt()).isEqualTo(2);
    assertThat(Duration.between(after.createdAt(), after.leaseUntil()))
        .isGreaterThanOrEqualTo(Duration.ofMinutes(122));
    assertThat(Duration.between(before.createdAt(), before.leaseUntil()))
        .isEqualTo(Duration.ofMinutes(61));
  }

  private static void assertLost(ThrowingCallable action) {
    assertThatThrownBy(action).isInstanceOf(LeaseLostException.class);
  }
}
