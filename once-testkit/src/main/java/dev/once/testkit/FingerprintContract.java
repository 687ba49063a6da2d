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
    TestClaim ask = TestClaim.forNewKey();
    ask.grantedBy(store());

    assertMismatched(ask);
  }

  @Test
  default void refusesToLetAnotherRequestTakeOverALapsedLease() {
    TestClaim ask = TestClaim.forNewKey();
    ask.grantedBy(store());
    elapse(TestClaim.LEASE);

    assertMismatched(ask);
  }

  @Test
  default void refusesToReplayToAnotherRequest() {
    TestClaim ask = TestClaim.forNewKey();
    store().complete(ask.grantedBy(store()), Outcomes.FIRST, TestClaim.RETENTION);

    assertMismatched(ask);
  }

  @Test
  default void refusesToReplayAFailureToAnotherRequest() {
    TestClaim ask = TestClaim.forNewKey();
    store().complete(ask.grantedBy(store()), Outcome.failed(Payload.NONE), TestClaim.RETENTION);

    assertMismatched(ask);
  }

  @Test
  default void refusesToOpenAReleasedKeyToAnotherRequest() {
    TestClaim ask = TestClaim.forNewKey();
    store().release(ask.grantedBy(store()));

    assertMismatched(ask);
  }

  @Test
  default void refusesToLetAnotherRequestReconcileAnUncertainKey() {
    TestClaim ask = TestClaim.forNewKey().withRecovery(Recovery.ASK);
    ask.grantedBy(store());
    elapse(TestClaim.LEASE);

    assertMismatched(ask);
  }

  @Test
  default void bindsTheKeyToItsFirstRequestAcrossTakeOvers() {
    TestClaim ask = TestClaim.forNewKey();
    ask.grantedBy(store());
    elapse(TestClaim.LEASE);
    store().claim(ask.withFingerprint(TestClaim.OTHER_FINGERPRINT).request());
    ask.grantedBy(store());
    elapse(TestClaim.LEASE);

    assertMismatched(ask);
    ask.grantedBy(store());
  }

  @Test
  default void bindsAnExpiredKeyToItsNextRequest() {
    TestClaim ask = TestClaim.forNewKey();
    store().complete(ask.grantedBy(store()), Outcomes.FIRST, TestClaim.RETENTION);
    elapse(TestClaim.LIFETIME);

    TestClaim other = ask.withFingerprint(TestClaim.OTHER_FINGERPRINT);
    other.grantedBy(store());

    assertThat(store().claim(ask.request())).isInstanceOf(Claim.Mismatched.class);
    assertThat(other.viewIn(store()).fingerprint()).isEqualTo(TestClaim.OTHER_FINGERPRINT);
  }

  @Test
  default void tellsApartEqualDigestsOfDifferentAlgorithms() {
    TestClaim ask =
        TestClaim.forNewKey().withFingerprint(new Fingerprint("sha256", "47DEQpj8HBSa"));
    ask.grantedBy(store());

    TestClaim other = ask.withFingerprint(new Fingerprint("hmac-sha256", "47DEQpj8HBSa"));

    assertThat(store().claim(other.request())).isInstanceOf(Claim.Mismatched.class);
  }

  @Test
  default void tellsApartFingerprintsThatDifferInCaseOrInTheLastCharacter() {
    String digest = "a".repeat(127);
    TestClaim ask =
        TestClaim.forNewKey().withFingerprint(new Fingerprint("x".repeat(32), digest + "a"));
    ask.grantedBy(store());

    TestClaim upper = ask.withFingerprint(new Fingerprint("x".repeat(32), digest + "A"));
    TestClaim last = ask.withFingerprint(new Fingerprint("x".repeat(32), digest + "b"));
    TestClaim shorter = ask.withFingerprint(new Fingerprint("x".repeat(32), digest));

    assertThat(store().claim(upper.request())).isInstanceOf(Claim.Mismatched.class);
    assertThat(store().claim(last.request())).isInstanceOf(Claim.Mismatched.class);
    assertThat(store().claim(shorter.request())).isInstanceOf(Claim.Mismatched.class);
    assertThat(store().claim(ask.request())).isInstanceOf(Claim.Held.class);
  }

  @Test
  default void takesNoFingerprintAsEqualToItselfAlone() {
    TestClaim ask = TestClaim.forNewKey().withFingerprint(Fingerprint.NONE);
    store().complete(ask.grantedBy(store()), Outcomes.FIRST, TestClaim.RETENTION);

    assertThat(store().claim(ask.request())).isInstanceOf(Claim.Replay.class);
    assertMismatched(ask);
  }

  private void assertMismatched(TestClaim ask) {
    RecordView before = ask.viewIn(store());
    TestClaim other = ask.withFingerprint(TestClaim.OTHER_FINGERPRINT);

    assertThat(otherStore().claim(other.request())).isEqualTo(new Claim.Mismatched());
    assertThat(otherStore().claim(other.request().withReconciling(true)))
        .isEqualTo(new Claim.Mismatched());
    assertThat(ask.viewIn(store())).as("the record after a mismatch").isEqualTo(before);
  }
}
