package dev.once.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.Recovery;
import dev.once.spi.Claim;
import dev.once.spi.ClaimRequest;
import dev.once.spi.RecordStore;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A claim whose answer was lost is sent again and gets the same grant, by its token. */
interface TokenContract extends StoreUnderTest {
  @Test
  default void givesAClaimThatIsSentAgainTheSameGrant() {
    ClaimRequest claim = TestClaim.forNewKey().request();
    Claim first = store().claim(claim);

    assertThat(otherStore().claim(claim)).isEqualTo(first).isInstanceOf(Claim.Granted.class);
    assertThat(store().claim(claim.withNewToken())).isInstanceOf(Claim.Held.class);
  }

  @Test
  default void givesAReconciliationThatIsSentAgainTheSameGrant() {
    TestClaim ask = TestClaim.forNewKey().withRecovery(Recovery.ASK);
    ask.grantedBy(store());
    elapse(TestClaim.LEASE);
    ClaimRequest claim = ask.request().withReconciling(true);
    Claim first = store().claim(claim);

    assertThat(store().claim(claim)).isEqualTo(first).isInstanceOf(Claim.Granted.class);
  }

  @Test
  default void doesNotMoveTheLeaseOfAClaimThatIsSentAgain() {
    TestClaim ask = TestClaim.forNewKey();
    ClaimRequest claim = ask.request();
    store().claim(claim);
    var before = ask.viewIn(store());

    store().claim(claim);

    assertThat(ask.viewIn(store())).isEqualTo(before);
  }

  /** Its owner has not begun, so there is nothing to reconcile. */
  @Test
  default void grantsAClaimThatIsSentAgainAfterItsLease() {
    TestClaim ask = TestClaim.forNewKey().withRecovery(Recovery.ASK);
    ClaimRequest claim = ask.request();
    Claim.Granted first = granted(store().claim(claim));
    elapse(TestClaim.LEASE);

    Claim.Granted second = granted(store().claim(claim));

    assertThat(second.fence()).isGreaterThan(first.fence());
  }

  /** A copy of the claim was delayed on its way, and no caller waits for its answer any more. */
  @Test
  default void doesNotGrantAClaimAgainWhoseGrantWasGivenBack() {
    TestClaim ask = TestClaim.forNewKey();
    ClaimRequest claim = ask.request();
    store().release(granted(store().claim(claim)));

    assertThat(store().claim(claim)).isInstanceOf(Claim.Held.class);
    assertThat(otherStore().claim(claim.withNewToken())).isInstanceOf(Claim.Granted.class);
  }

  @Test
  default void doesNotRecogniseATokenOfAnEarlierGrant() {
    TestClaim ask = TestClaim.forNewKey();
    ClaimRequest claim = ask.request();
    store().claim(claim);
    elapse(TestClaim.LEASE);
    ask.grantedBy(store());

    assertThat(store().claim(claim)).isInstanceOf(Claim.Held.class);
  }

  @Test
  default void comparesTheFingerprintOfAClaimThatIsSentAgain() {
    TestClaim ask = TestClaim.forNewKey();
    ClaimRequest claim = ask.request();
    store().claim(claim);

    ClaimRequest other = claim.withFingerprint(TestClaim.OTHER_FINGERPRINT);

    assertThat(store().claim(other)).isInstanceOf(Claim.Mismatched.class);
  }

  @Test
  default void replaysToAClaimThatIsSentAgainAfterTheCompletion() {
    TestClaim ask = TestClaim.forNewKey();
    ClaimRequest claim = ask.request();
    store().complete(granted(store().claim(claim)), Outcomes.FIRST, TestClaim.RETENTION);

    assertThat(store().claim(claim)).isInstanceOf(Claim.Replay.class);
  }

  @Test
  default void givesOneGrantToAClaimThatIsSentManyTimesAtOnce() throws Exception {
    for (int round = 0; round < 20; round++) {
      ClaimRequest claim = TestClaim.forNewKey().request();

      List<Claim> claims =
          ConcurrentCalls.together(ConcurrentCalls.times(8, () -> settled(store(), claim)));

      assertThat(claims).hasOnlyElementsOfType(Claim.Granted.class);
      assertThat(claims.stream().distinct()).as("grants in round %d", round).hasSize(1);
    }
  }

  /** A store may answer "held" while another claim of the key is in flight. */
  private static Claim settled(RecordStore store, ClaimRequest claim) {
    Claim answer = store.claim(claim);
    while (answer instanceof Claim.Held) {
      answer = store.claim(claim);
    }
    return answer;
  }

  private static Claim.Granted granted(Claim claim) {
    assertThat(claim).isInstanceOf(Claim.Granted.class);
    return (Claim.Granted) claim;
  }
}
