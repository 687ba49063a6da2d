package dev.once.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.once.LeaseLostException;
import dev.once.Outcome;
import dev.once.Payload;
import dev.once.Recovery;
import dev.once.spi.Claim;
import dev.once.spi.Purge;
import dev.once.spi.RecordView;
import org.junit.jupiter.api.Test;

/** An operator forgets a record before its time, but takes no key from an owner. */
interface ExpireContract extends StoreUnderTest {
  @Test
  default void expiresAnOutcome() {
    TestClaim completed = TestClaim.forNewKey();
    Claim.Granted first = completed.grantedBy(store());
    store().complete(first, Outcomes.FIRST, TestClaim.RETENTION);
    TestClaim failed = TestClaim.forNewKey();
    Claim.Granted second = failed.grantedBy(store());
    store().complete(second, Outcome.failed(Payload.NONE), TestClaim.RETENTION);

    assertExpires(completed, first);
    assertExpires(failed, second);
  }

  @Test
  default void expiresAnOpenRecord() {
    TestClaim ask = TestClaim.forNewKey();
    Claim.Granted owner = ask.grantedBy(store());
    store().release(owner);

    assertExpires(ask, owner);
  }

  @Test
  default void expiresAnUncertainRecord() {
    TestClaim ask = TestClaim.forNewKey().withRecovery(Recovery.ASK);
    Claim.Granted owner = ask.grantedBy(store());
    elapse(TestClaim.LEASE);

    assertExpires(ask, owner);
  }

  @Test
  default void expiresARecordWhoseLeaseRanOut() {
    TestClaim ask = TestClaim.forNewKey();
    Claim.Granted owner = ask.grantedBy(store());
    elapse(TestClaim.LEASE);

    assertExpires(ask, owner);
  }

  @Test
  default void expiresNoRecordWhoseLeaseRuns() {
    TestClaim ask = TestClaim.forNewKey();
    Claim.Granted owner = ask.grantedBy(store());
    elapse(TestClaim.LEASE.minusMinutes(1));
    RecordView before = ask.viewIn(store());

    assertThat(otherAdmin().expire(ask.key())).isFalse();

    assertThat(ask.viewIn(store())).isEqualTo(before);
    store().complete(owner, Outcomes.FIRST, TestClaim.RETENTION);
    assertThat(store().claim(ask.request())).isInstanceOf(Claim.Replay.class);
  }

  @Test
  default void expiresAReopenedRecord() {
    TestClaim ask = TestClaim.forNewKey();
    Claim.Granted owner = ask.grantedBy(store());
    admin().reopen(ask.key());

    assertExpires(ask, owner);
  }

  @Test
  default void refusesTheLateOwnerOfARecordThatWasExpired() {
    TestClaim ask = TestClaim.forNewKey();
    Claim.Granted late = ask.grantedBy(store());
    elapse(TestClaim.LEASE);
    otherAdmin().expire(ask.key());

    assertLost(() -> store().complete(late, Outcomes.FIRST, TestClaim.RETENTION));
    assertLost(() -> store().release(late));
    assertLost(() -> store().renew(late, TestClaim.LEASE));
    assertThat(store().find(ask.key())).isEmpty();
  }

  @Test
  default void expiresNothingThatIsNotThere() {
    TestClaim ask = TestClaim.forNewKey();

    assertThat(admin().expire(ask.key())).isFalse();
    store().complete(ask.grantedBy(store()), Outcomes.FIRST, TestClaim.RETENTION);
    assertThat(admin().expire(ask.key())).isTrue();

    assertThat(admin().expire(ask.key())).isFalse();
    assertThat(admin().reopen(ask.key())).isFalse();
  }

  @Test
  default void purgesARecordThatWasExpired() {
    TestClaim ask = TestClaim.forNewKey();
    store().complete(ask.grantedBy(store()), Outcomes.FIRST, TestClaim.RETENTION);
    admin().expire(ask.key());

    assertThat(admin().purge(Purge.of(ask.key().tenant(), 10)))
        .isEqualTo(forgetsByItself() ? 0 : 1);
  }

  /** Expires the record and checks that another request can claim its key as if it were new. */
  private void assertExpires(TestClaim ask, Claim.Granted last) {
    assertThat(otherAdmin().expire(ask.key())).isTrue();
    assertThat(store().find(ask.key())).isEmpty();

    Claim.Granted next = ask.withFingerprint(TestClaim.OTHER_FINGERPRINT).grantedBy(store());

    assertThat(next.attempt()).isEqualTo(1);
    assertThat(next.fence()).isGreaterThan(last.fence());
    assertThat(ask.viewIn(otherStore()).fingerprint()).isEqualTo(TestClaim.OTHER_FINGERPRINT);
  }

  private static void assertLost(Runnable transition) {
    assertThatThrownBy(transition::run).isInstanceOf(LeaseLostException.class);
  }
}
