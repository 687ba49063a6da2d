package dev.once.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.once.LeaseLostException;
import dev.once.Outcome;
import dev.once.Payload;
import dev.once.Recovery;
import dev.once.spi.Claim;
import dev.once.spi.RecordView;
import dev.once.spi.State;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** An operator takes a key from its owner: the effect did not happen. */
interface ReopenContract extends StoreUnderTest {
  @Test
  default void reopensAKeyWhoseLeaseRuns() {
    TestClaim ask = TestClaim.forNewKey();
    Claim.Granted owner = ask.grantedBy(store());

    assertThat(otherAdmin().reopen(ask.key())).isTrue();

    assertThat(ask.viewIn(store()).state()).isEqualTo(State.OPEN);
    Claim.Granted next = ask.grantedBy(store());
    assertThat(next.fence()).isGreaterThan(owner.fence());
    assertThat(next.attempt()).isEqualTo(2);
  }

  @Test
  default void reopensAKeyWhoseLeaseRanOut() {
    TestClaim ask = TestClaim.forNewKey();
    ask.grantedBy(store());
    elapse(TestClaim.LEASE);

    assertThat(otherAdmin().reopen(ask.key())).isTrue();

    assertThat(ask.viewIn(store()).state()).isEqualTo(State.OPEN);
    assertThat(ask.grantedBy(store()).attempt()).isEqualTo(2);
  }

  @Test
  default void reopensAnUncertainKey() {
    TestClaim ask = TestClaim.forNewKey().withRecovery(Recovery.ASK);
    ask.grantedBy(store());
    elapse(TestClaim.LEASE);

    assertThat(otherAdmin().reopen(ask.key())).isTrue();

    assertThat(ask.viewIn(store()).state()).isEqualTo(State.OPEN);
    assertThat(ask.grantedBy(store()).attempt()).isEqualTo(2);
  }

  /** A record of an effect that did not happen needs no reconciliation. */
  @Test
  default void letsTheNextOwnerOfAReopenedKeySayWhatItsVanishingMeans() {
    TestClaim ask = TestClaim.forNewKey().withRecovery(Recovery.ASK);
    ask.grantedBy(store());
    admin().reopen(ask.key());

    TestClaim repeatable = ask.withRecovery(Recovery.RERUN);
    repeatable.grantedBy(store());
    elapse(TestClaim.LEASE);

    assertThat(repeatable.grantedBy(store()).attempt()).isEqualTo(3);
  }

  @Test
  default void changesNothingOfAReopenedRecordButItsState() {
    TestClaim ask = TestClaim.forNewKey();
    ask.grantedBy(store());
    RecordView before = ask.viewIn(store());

    admin().reopen(ask.key());

    RecordView after = ask.viewIn(store());
    assertThat(after).usingRecursiveComparison().ignoringFields("state").isEqualTo(before);
  }

  @Test
  default void refusesTheFormerOwnerOfAReopenedKey() {
    TestClaim ask = TestClaim.forNewKey();
    Claim.Granted former = ask.grantedBy(store());
    otherAdmin().reopen(ask.key());

    assertRefused(ask, former);
    Claim.Granted next = ask.grantedBy(otherStore());
    assertRefused(ask, former);
    otherStore().complete(next, Outcomes.SECOND, TestClaim.RETENTION);
    assertRefused(ask, former);
  }

  @Test
  default void keepsAReopenedKeyBoundToItsRequest() {
    TestClaim ask = TestClaim.forNewKey();
    ask.grantedBy(store());

    admin().reopen(ask.key());

    Claim other = otherStore().claim(ask.withFingerprint(TestClaim.OTHER_FINGERPRINT).request());
    assertThat(other).isInstanceOf(Claim.Mismatched.class);
  }

  @Test
  default void grantsAReopenedKeyOnceMoreAfterItsLastAttempt() {
    TestClaim ask = TestClaim.forNewKey().withMaxAttempts(1);
    ask.grantedBy(store());
    elapse(TestClaim.LEASE);
    assertThat(store().claim(ask.request())).isInstanceOf(Claim.Uncertain.class);

    admin().reopen(ask.key());

    assertThat(ask.grantedBy(store()).attempt()).isEqualTo(2);
    elapse(TestClaim.LEASE);
    assertThat(store().claim(ask.request())).isInstanceOf(Claim.Uncertain.class);
  }

  @Test
  default void reopensNoOutcome() {
    TestClaim completed = TestClaim.forNewKey();
    store().complete(completed.grantedBy(store()), Outcomes.FIRST, TestClaim.RETENTION);
    TestClaim failed = TestClaim.forNewKey();
    store().complete(failed.grantedBy(store()), Outcome.failed(Payload.NONE), TestClaim.RETENTION);

    assertNotReopened(completed);
    assertNotReopened(failed);
    assertThat(store().claim(completed.request())).isInstanceOf(Claim.Replay.class);
  }

  @Test
  default void reopensNothingThatIsOpenAlready() {
    TestClaim ask = TestClaim.forNewKey();
    store().release(ask.grantedBy(store()));

    assertNotReopened(ask);
  }

  @Test
  default void reopensNothingThatIsNotThere() {
    TestClaim ask = TestClaim.forNewKey();

    assertThat(admin().reopen(ask.key())).isFalse();
    ask.grantedBy(store());
    elapse(TestClaim.LIFETIME);

    assertThat(admin().reopen(ask.key())).isFalse();
    assertThat(store().find(ask.key())).isEmpty();
  }

  private void assertNotReopened(TestClaim ask) {
    RecordView before = ask.viewIn(store());
    assertThat(admin().reopen(ask.key())).isFalse();
    assertThat(ask.viewIn(store())).isEqualTo(before);
  }

  private void assertRefused(TestClaim ask, Claim.Granted grant) {
    RecordView before = ask.viewIn(store());
    assertLost(() -> store().complete(grant, Outcomes.FIRST, TestClaim.RETENTION));
    assertLost(() -> store().release(grant));
    assertLost(() -> store().renew(grant, Duration.ofHours(1)));
    assertThat(ask.viewIn(store())).as("the record after a refusal").isEqualTo(before);
  }

  private static void assertLost(Runnable transition) {
    assertThatThrownBy(transition::run).isInstanceOf(LeaseLostException.class);
  }
}
