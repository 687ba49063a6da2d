package dev.once.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.Fingerprint;
import dev.once.Outcome;
import dev.once.Payload;
import dev.once.Recovery;
import dev.once.spi.Claim;
import dev.once.spi.RecordView;
import org.junit.jupiter.api.Test;

/** A key belongs to the request that first used it, in every state, until its record expires. */
interface FingerprintContract extends StoreUnderTest {
  @Test
  default void refusesAnotherRequestWhileTheKeyIsHeld() {
    Ask ask = Ask.forNewKey();
    ask.grantedBy(store());

    assertMismatched(ask);
  }

  @Test
  default void refusesToLetAnotherRequestTakeOverALapsedLease() {
    Ask ask = Ask.forNewKey();
    ask.grantedBy(store());
    elapse(Ask.LEASE);

    assertMismatched(ask);
  }

  @Test
  default void refusesToReplayToAnotherRequest() {
    Ask ask = Ask.forNewKey();
    store().complete(ask.grantedBy(store()), Outcomes.FIRST, Ask.RETENTION);

    assertMismatched(ask);
  }

  @Test
  default void refusesToReplayAFailureToAnotherRequest() {
    Ask ask = Ask.forNewKey();
    store().complete(ask.grantedBy(store()), Outcome.failed(Payload.NONE), Ask.RETENTION);

    assertMismatched(ask);
  }

  @Test
  default void refusesToOpenAReleasedKeyToAnotherRequest() {
    Ask ask = Ask.forNewKey();
    store().release(ask.grantedBy(store()));

    assertMismatched(ask);
  }

  @Test
  default void refusesToLetAnotherRequestReconcileAnUncertainKey() {
    Ask ask = Ask.forNewKey().withRecovery(Recovery.ASK);
    ask.grantedBy(store());
    elapse(Ask.LEASE);

    assertMismatched(ask);
  }

  @Test
  default void bindsTheKeyToItsFirstRequestAcrossTakeOvers() {
    Ask ask = Ask.forNewKey();
    ask.grantedBy(store());
    elapse(Ask.LEASE);
    store().claim(ask.withFingerprint(Ask.OTHER_FINGERPRINT).request());
    ask.grantedBy(store());
    elapse(Ask.LEASE);

    assertMismatched(ask);
    ask.grantedBy(store());
  }

  @Test
  default void bindsAnExpiredKeyToItsNextRequest() {
    Ask ask = Ask.forNewKey();
    store().complete(ask.grantedBy(store()), Outcomes.FIRST, Ask.RETENTION);
    elapse(Ask.LIFETIME);

    Ask other = ask.withFingerprint(Ask.OTHER_FINGERPRINT);
    other.grantedBy(store());

    assertThat(store().claim(ask.request())).isInstanceOf(Claim.Mismatched.class);
    assertThat(other.viewIn(store()).fingerprint()).isEqualTo(Ask.OTHER_FINGERPRINT);
  }

  @Test
  default void tellsApartEqualDigestsOfDifferentAlgorithms() {
    Ask ask = Ask.forNewKey().withFingerprint(new Fingerprint("sha256", "47DEQpj8HBSa"));
    ask.grantedBy(store());

    Ask other = ask.withFingerprint(new Fingerprint("hmac-sha256", "47DEQpj8HBSa"));

    assertThat(store().claim(other.request())).isInstanceOf(Claim.Mismatched.class);
  }

  @Test
  default void tellsApartFingerprintsThatDifferInCaseOrInTheLastCharacter() {
    String digest = "a".repeat(127);
    Ask ask = Ask.forNewKey().withFingerprint(new Fingerprint("x".repeat(32), digest + "a"));
    ask.grantedBy(store());

    Ask upper = ask.withFingerprint(new Fingerprint("x".repeat(32), digest + "A"));
    Ask last = ask.withFingerprint(new Fingerprint("x".repeat(32), digest + "b"));
    Ask shorter = ask.withFingerprint(new Fingerprint("x".repeat(32), digest));

    assertThat(store().claim(upper.request())).isInstanceOf(Claim.Mismatched.class);
    assertThat(store().claim(last.request())).isInstanceOf(Claim.Mismatched.class);
    assertThat(store().claim(shorter.request())).isInstanceOf(Claim.Mismatched.class);
    assertThat(store().claim(ask.request())).isInstanceOf(Claim.Held.class);
  }

  @Test
  default void takesNoFingerprintAsEqualToItselfAlone() {
    Ask ask = Ask.forNewKey().withFingerprint(Fingerprint.NONE);
    store().complete(ask.grantedBy(store()), Outcomes.FIRST, Ask.RETENTION);

    assertThat(store().claim(ask.request())).isInstanceOf(Claim.Replay.class);
    assertMismatched(ask);
  }

  private void assertMismatched(Ask ask) {
    RecordView before = ask.viewIn(store());
    Ask other = ask.withFingerprint(Ask.OTHER_FINGERPRINT);

    assertThat(otherStore().claim(other.request())).isEqualTo(new Claim.Mismatched());
    assertThat(otherStore().reconcile(other.request())).isEqualTo(new Claim.Mismatched());
    assertThat(ask.viewIn(store())).as("the record after a mismatch").isEqualTo(before);
  }
}
