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
 * What happens to a key after its owner's lease ran out: it is rerun, or uncertain until a caller
 * reconciles it.
 */
interface RecoveryContract extends StoreUnderTest {
  @Test
  default void doesNotGrantAnUncertainKey() {
    TestClaim ask = TestClaim.forNewKey().withRecovery(Recovery.ASK);
    ask.grantedBy(store());
    elapse(TestClaim.LEASE);

    Claim claim = otherStore().claim(ask.request());

    assertThat(claim).isEqualTo(new Claim.Uncertain());
    assertThat(ask.viewIn(store()).state()).isEqualTo(State.UNCERTAIN);
  }

  @Test
  default void grantsAnUncertainKeyToOneReconciler() {
    TestClaim ask = TestClaim.forNewKey().withRecovery(Recovery.ASK);
    ask.grantedBy(store());
    elapse(TestClaim.LEASE);

    Claim.Granted reconciler = ask.reconciledBy(store());

    assertThat(reconciler.attempt()).isEqualTo(2);
    assertThat(otherStore().claim(ask.request().withReconciling(true)))
        .isInstanceOf(Claim.Held.class);
    assertThat(otherStore().claim(ask.request())).isInstanceOf(Claim.Held.class);
    assertThat(ask.viewIn(store()).state()).isEqualTo(State.IN_PROGRESS);
  }

  @Test
  default void replaysWhatAReconcilerFoundOut() {
    TestClaim ask = TestClaim.forNewKey().withRecovery(Recovery.ASK);
    ask.grantedBy(store());
    elapse(TestClaim.LEASE);

    store().complete(ask.reconciledBy(store()), Outcomes.FIRST, TestClaim.RETENTION);

    assertThat(otherStore().claim(ask.request()))
        .isEqualTo(new Claim.Replay(Outcomes.FIRST, Headers.NONE));
  }

  @Test
  default void opensAKeyWhoseReconcilerFoundNothing() {
    TestClaim ask = TestClaim.forNewKey().withRecovery(Recovery.ASK);
    ask.grantedBy(store());
    elapse(TestClaim.LEASE);

    store().release(ask.reconciledBy(store()));

    assertThat(ask.viewIn(store()).state()).isEqualTo(State.OPEN);
    assertThat(ask.grantedBy(otherStore()).attempt()).isEqualTo(3);
  }

  @Test
  default void leavesAKeyUncertainWhoseReconcilerVanished() {
    TestClaim ask = TestClaim.forNewKey().withRecovery(Recovery.ASK);
    ask.grantedBy(store());
    elapse(TestClaim.LEASE);
    ask.reconciledBy(store());
    elapse(TestClaim.LEASE);

    Claim claim = otherStore().claim(ask.request());

    assertThat(claim).isInstanceOf(Claim.Uncertain.class);
    assertThat(ask.reconciledBy(otherStore()).attempt()).isEqualTo(3);
  }

  @Test
  default void asksAgainAtOnceForAReconcilerThatCouldNotTell() {
    TestClaim ask = TestClaim.forNewKey().withRecovery(Recovery.ASK);
    ask.grantedBy(store());
    elapse(TestClaim.LEASE);

    store().renew(ask.reconciledBy(store()), Duration.ZERO);

    assertThat(otherStore().claim(ask.request())).isInstanceOf(Claim.Uncertain.class);
    assertThat(ask.viewIn(store()).state()).isEqualTo(State.UNCERTAIN);
  }

  @Test
  default void asksIfTheVanishedOwnerWantedThatWhateverTheNextCallerWants() {
    TestClaim ask = TestClaim.forNewKey().withRecovery(Recovery.ASK);
    ask.grantedBy(store());
    elapse(TestClaim.LEASE);

    Claim claim = otherStore().claim(ask.withRecovery(Recovery.RERUN).request());

    assertThat(claim).isInstanceOf(Claim.Uncertain.class);
    assertThat(ask.viewIn(store()).recovery()).isEqualTo(Recovery.ASK);
  }

  @Test
  default void asksStillAfterAReconcilerOfOtherTermsCouldNotTell() {
    TestClaim ask = TestClaim.forNewKey().withRecovery(Recovery.ASK);
    ask.grantedBy(store());
    elapse(TestClaim.LEASE);
    TestClaim careless = ask.withRecovery(Recovery.RERUN);

    store().renew(careless.reconciledBy(store()), Duration.ZERO);

    assertThat(otherStore().claim(careless.request())).isInstanceOf(Claim.Uncertain.class);
  }

  @Test
  default void rerunsIfTheVanishedOwnerWantedThatWhateverTheNextCallerWants() {
    TestClaim ask = TestClaim.forNewKey().withRecovery(Recovery.RERUN);
    ask.grantedBy(store());
    elapse(TestClaim.LEASE);

    TestClaim cautious = ask.withRecovery(Recovery.ASK);
    cautious.grantedBy(otherStore());
    elapse(TestClaim.LEASE);

    assertThat(store().claim(ask.request())).isInstanceOf(Claim.Uncertain.class);
  }

  @Test
  default void grantsARerunRecordToAReconcilerToo() {
    TestClaim ask = TestClaim.forNewKey();

    Claim.Granted first = ask.reconciledBy(store());
    Claim held = otherStore().claim(ask.request().withReconciling(true));
    elapse(TestClaim.LEASE);
    Claim.Granted second = ask.reconciledBy(store());
    store().release(second);

    assertThat(first.attempt()).isEqualTo(1);
    assertThat(held).isInstanceOf(Claim.Held.class);
    assertThat(ask.reconciledBy(store()).attempt()).isEqualTo(3);
  }

  @Test
  default void stopsToRerunAfterAsManyAttemptsAsAllowed() {
    TestClaim ask = TestClaim.forNewKey().withMaxAttempts(3);
    for (int attempt = 1; attempt <= 3; attempt++) {
      assertThat(ask.grantedBy(store()).attempt()).isEqualTo(attempt);
      elapse(TestClaim.LEASE);
    }
    RecordView before = ask.viewIn(store());

    Claim claim = otherStore().claim(ask.request());

    assertThat(claim).isEqualTo(new Claim.Uncertain());
    assertThat(ask.viewIn(store())).isEqualTo(before);
    assertThat(ask.reconciledBy(store()).attempt()).isEqualTo(4);
  }

  @Test
  default void rerunsAgainForACallerThatAllowsMoreAttempts() {
    TestClaim ask = TestClaim.forNewKey().withMaxAttempts(1);
    ask.grantedBy(store());
    elapse(TestClaim.LEASE);

    Claim strict = store().claim(ask.request());

    assertThat(strict).isInstanceOf(Claim.Uncertain.class);
    assertThat(ask.withMaxAttempts(2).grantedBy(store()).attempt()).isEqualTo(2);
  }

  @Test
  default void countsNoAttemptsAgainstAReleasedKey() {
    TestClaim ask = TestClaim.forNewKey().withMaxAttempts(1);
    store().release(ask.grantedBy(store()));

    Claim.Granted second = ask.grantedBy(store());

    assertThat(second.attempt()).isEqualTo(2);
  }

  @Test
  default void letsALateOwnerSettleWhatIsUncertain() {
    TestClaim ask = TestClaim.forNewKey().withRecovery(Recovery.ASK);
    Claim.Granted late = ask.grantedBy(store());
    elapse(TestClaim.LEASE);
    Claim uncertain = otherStore().claim(ask.request());

    store().complete(late, Outcomes.FIRST, TestClaim.RETENTION);

    assertThat(uncertain).isInstanceOf(Claim.Uncertain.class);
    assertThat(otherStore().claim(ask.request())).isInstanceOf(Claim.Replay.class);
  }
}
