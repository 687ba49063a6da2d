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
    Ask ask = Ask.forNewKey();
    Claim.Granted owner = ask.grantedBy(store());

    assertThat(otherStore().reopen(ask.key())).isTrue();

    assertThat(ask.viewIn(store()).state()).isEqualTo(State.OPEN);
    Claim.Granted next = ask.grantedBy(store());
    assertThat(next.fence()).isGreaterThan(owner.fence());
    assertThat(next.attempt()).isEqualTo(2);
  }

  @Test
  default void reopensAKeyWhoseLeaseRanOut() {
    Ask ask = Ask.forNewKey();
    ask.grantedBy(store());
    elapse(Ask.LEASE);

    assertThat(otherStore().reopen(ask.key())).isTrue();

    assertThat(ask.viewIn(store()).state()).isEqualTo(State.OPEN);
    assertThat(ask.grantedBy(store()).attempt()).isEqualTo(2);
  }

  @Test
  default void reopensAnUncertainKey() {
    Ask ask = Ask.forNewKey().withRecovery(Recovery.ASK);
    ask.grantedBy(store());
    elapse(Ask.LEASE);

    assertThat(otherStore().reopen(ask.key())).isTrue();

    assertThat(ask.viewIn(store()).state()).isEqualTo(State.OPEN);
    assertThat(ask.grantedBy(store()).attempt()).isEqualTo(2);
  }

  /** A record that did not happen need not be asked about. */
  @Test
  default void letsTheNextOwnerOfAReopenedKeySayWhatItsVanishingMeans() {
    Ask ask = Ask.forNewKey().withRecovery(Recovery.ASK);
    ask.grantedBy(store());
    store().reopen(ask.key());

    Ask repeatable = ask.withRecovery(Recovery.RERUN);
    repeatable.grantedBy(store());
    elapse(Ask.LEASE);

    assertThat(repeatable.grantedBy(store()).attempt()).isEqualTo(3);
  }

  @Test
  default void changesNothingOfAReopenedRecordButItsState() {
    Ask ask = Ask.forNewKey();
    ask.grantedBy(store());
    RecordView before = ask.viewIn(store());

    store().reopen(ask.key());

    RecordView after = ask.viewIn(store());
    assertThat(after).usingRecursiveComparison().ignoringFields("state").isEqualTo(before);
  }

  @Test
  default void refusesTheFormerOwnerOfAReopenedKey() {
    Ask ask = Ask.forNewKey();
    Claim.Granted former = ask.grantedBy(store());
    otherStore().reopen(ask.key());

    assertRefused(ask, former);
    Claim.Granted next = ask.grantedBy(otherStore());
    assertRefused(ask, former);
    otherStore().complete(next, Outcomes.SECOND, Ask.RETENTION);
    assertRefused(ask, former);
  }

  @Test
  default void keepsAReopenedKeyBoundToItsRequest() {
    Ask ask = Ask.forNewKey();
    ask.grantedBy(store());

    store().reopen(ask.key());

    Claim other = otherStore().claim(ask.withFingerprint(Ask.OTHER_FINGERPRINT).request());
    assertThat(other).isInstanceOf(Claim.Mismatched.class);
  }

  @Test
  default void grantsAReopenedKeyOnceMoreAfterItsLastAttempt() {
    Ask ask = Ask.forNewKey().withMaxAttempts(1);
    ask.grantedBy(store());
    elapse(Ask.LEASE);
    assertThat(store().claim(ask.request())).isInstanceOf(Claim.Uncertain.class);

    store().reopen(ask.key());

    assertThat(ask.grantedBy(store()).attempt()).isEqualTo(2);
    elapse(Ask.LEASE);
    assertThat(store().claim(ask.request())).isInstanceOf(Claim.Uncertain.class);
  }

  @Test
  default void reopensNoOutcome() {
    Ask completed = Ask.forNewKey();
    store().complete(completed.grantedBy(store()), Outcomes.FIRST, Ask.RETENTION);
    Ask failed = Ask.forNewKey();
    store().complete(failed.grantedBy(store()), Outcome.failed(Payload.NONE), Ask.RETENTION);

    assertNotReopened(completed);
    assertNotReopened(failed);
    assertThat(store().claim(completed.request())).isInstanceOf(Claim.Replay.class);
  }

  @Test
  default void reopensNothingThatIsOpenAlready() {
    Ask ask = Ask.forNewKey();
    store().release(ask.grantedBy(store()));

    assertNotReopened(ask);
  }

  @Test
  default void reopensNothingThatIsNotThere() {
    Ask ask = Ask.forNewKey();

    assertThat(store().reopen(ask.key())).isFalse();
    ask.grantedBy(store());
    elapse(Ask.LIFETIME);

    assertThat(store().reopen(ask.key())).isFalse();
    assertThat(store().find(ask.key())).isEmpty();
  }

  private void assertNotReopened(Ask ask) {
    RecordView before = ask.viewIn(store());
    assertThat(store().reopen(ask.key())).isFalse();
    assertThat(ask.viewIn(store())).isEqualTo(before);
  }

  private void assertRefused(Ask ask, Claim.Granted grant) {
    RecordView before = ask.viewIn(store());
    assertLost(() -> store().complete(grant, Outcomes.FIRST, Ask.RETENTION));
    assertLost(() -> store().release(grant));
    assertLost(() -> store().renew(grant, Duration.ofHours(1)));
    assertThat(ask.viewIn(store())).as("the record after a refusal").isEqualTo(before);
  }

  private static void assertLost(Runnable transition) {
    assertThatThrownBy(transition::run).isInstanceOf(LeaseLostException.class);
  }
}
