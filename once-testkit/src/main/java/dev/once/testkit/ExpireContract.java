package dev.once.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.once.LeaseLostException;
import dev.once.Outcome;
import dev.once.Payload;
import dev.once.Recovery;
import dev.once.spi.Claim;
import dev.once.spi.Purge;
import dev.once.spi.RecordStore;
import dev.once.spi.RecordView;
import org.junit.jupiter.api.Test;

/** An operator forgets a record before its time, but takes no key from an owner. */
interface ExpireContract extends StoreUnderTest {
  @Test
  default void expiresAnOutcome() {
    Ask completed = Ask.forNewKey();
    Claim.Granted first = completed.grantedBy(store());
    store().complete(first, Outcomes.FIRST, Ask.RETENTION);
    Ask failed = Ask.forNewKey();
    Claim.Granted second = failed.grantedBy(store());
    store().complete(second, Outcome.failed(Payload.NONE), Ask.RETENTION);

    assertExpires(completed, first);
    assertExpires(failed, second);
  }

  @Test
  default void expiresAnOpenRecord() {
    Ask ask = Ask.forNewKey();
    Claim.Granted owner = ask.grantedBy(store());
    store().release(owner);

    assertExpires(ask, owner);
  }

  @Test
  default void expiresAnUncertainRecord() {
    Ask ask = Ask.forNewKey().withRecovery(Recovery.ASK);
    Claim.Granted owner = ask.grantedBy(store());
    elapse(Ask.LEASE);

    assertExpires(ask, owner);
  }

  @Test
  default void expiresARecordWhoseLeaseRanOut() {
    Ask ask = Ask.forNewKey();
    Claim.Granted owner = ask.grantedBy(store());
    elapse(Ask.LEASE);

    assertExpires(ask, owner);
  }

  @Test
  default void expiresNoRecordWhoseLeaseRuns() {
    Ask ask = Ask.forNewKey();
    Claim.Granted owner = ask.grantedBy(store());
    elapse(Ask.LEASE.minusMinutes(1));
    RecordView before = ask.viewIn(store());

    assertThat(otherStore().expire(ask.key())).isFalse();

    assertThat(ask.viewIn(store())).isEqualTo(before);
    store().complete(owner, Outcomes.FIRST, Ask.RETENTION);
    assertThat(store().claim(ask.request())).isInstanceOf(Claim.Replay.class);
  }

  @Test
  default void expiresAReopenedRecord() {
    Ask ask = Ask.forNewKey();
    Claim.Granted owner = ask.grantedBy(store());
    store().reopen(ask.key());

    assertExpires(ask, owner);
  }

  @Test
  default void refusesTheLateOwnerOfARecordThatWasExpired() {
    Ask ask = Ask.forNewKey();
    Claim.Granted late = ask.grantedBy(store());
    elapse(Ask.LEASE);
    otherStore().expire(ask.key());

    assertLost(() -> store().complete(late, Outcomes.FIRST, Ask.RETENTION));
    assertLost(() -> store().release(late));
    assertLost(() -> store().renew(late, Ask.LEASE));
    assertThat(store().find(ask.key())).isEmpty();
  }

  @Test
  default void expiresNothingThatIsNotThere() {
    Ask ask = Ask.forNewKey();

    assertThat(store().expire(ask.key())).isFalse();
    store().complete(ask.grantedBy(store()), Outcomes.FIRST, Ask.RETENTION);
    assertThat(store().expire(ask.key())).isTrue();

    assertThat(store().expire(ask.key())).isFalse();
    assertThat(store().reopen(ask.key())).isFalse();
  }

  @Test
  default void purgesARecordThatWasExpired() {
    Ask ask = Ask.forNewKey();
    store().complete(ask.grantedBy(store()), Outcomes.FIRST, Ask.RETENTION);
    store().expire(ask.key());

    assertThat(store().purge(Purge.of(ask.key().tenant(), 10)))
        .isEqualTo(forgetsByItself() ? 0 : 1);
  }

  /** Expires the record and lets another request claim its key as if it were new. */
  private void assertExpires(Ask ask, Claim.Granted last) {
    RecordStore node = otherStore();
    assertThat(node.expire(ask.key())).isTrue();
    assertThat(store().find(ask.key())).isEmpty();

    Claim.Granted next = ask.withFingerprint(Ask.OTHER_FINGERPRINT).grantedBy(store());

    assertThat(next.attempt()).isEqualTo(1);
    assertThat(next.fence()).isGreaterThan(last.fence());
    assertThat(ask.viewIn(node).fingerprint()).isEqualTo(Ask.OTHER_FINGERPRINT);
  }

  private static void assertLost(Runnable transition) {
    assertThatThrownBy(transition::run).isInstanceOf(LeaseLostException.class);
  }
}
