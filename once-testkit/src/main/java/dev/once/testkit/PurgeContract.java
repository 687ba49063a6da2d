package dev.once.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.Key;
import dev.once.Recovery;
import dev.once.spi.Claim;
import dev.once.spi.Purge;
import dev.once.spi.RecordView;
import dev.once.spi.State;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A purge removes expired records, at most as many as its limit, and nothing else. */
interface PurgeContract extends StoreUnderTest {
  int PLENTY = 1_000;

  @Test
  default void purgesExpiredRecordsInEveryState() {
    TestClaim first = TestClaim.forNewKey().withRecovery(Recovery.ASK);
    first.grantedBy(store());
    store().release(sibling(first, "2").grantedBy(store()));
    store().complete(sibling(first, "3").grantedBy(store()), Outcomes.FIRST, TestClaim.RETENTION);
    elapse(TestClaim.LIFETIME);

    int removed = admin().purge(Purge.of(first.key().tenant(), PLENTY));

    assertThat(removed).isEqualTo(counted(3));
    assertThat(admin().purge(Purge.of(first.key().tenant(), PLENTY))).isZero();
  }

  @Test
  default void purgesAtMostAsManyRecordsAsAskedFor() {
    TestClaim first = TestClaim.forNewKey();
    for (int i = 0; i < 10; i++) {
      sibling(first, "key-" + i).grantedBy(store());
    }
    elapse(TestClaim.LIFETIME);
    String tenant = first.key().tenant();

    assertThat(admin().purge(Purge.of(tenant, 1))).isEqualTo(counted(1));
    assertThat(admin().purge(Purge.of(tenant, 6))).isEqualTo(counted(6));
    assertThat(admin().purge(Purge.of(tenant, 6))).isEqualTo(counted(3));
    assertThat(admin().purge(Purge.of(tenant, 6))).isZero();
  }

  @Test
  default void purgesTheRecordsOfOneTenantAlone() {
    TestClaim mine = TestClaim.forNewKey();
    TestClaim theirs = TestClaim.forNewKey();
    mine.grantedBy(store());
    theirs.grantedBy(store());
    elapse(TestClaim.LIFETIME);

    int removed = admin().purge(Purge.of(mine.key().tenant(), PLENTY));

    assertThat(removed).isEqualTo(counted(1));
    assertThat(admin().purge(Purge.of(theirs.key().tenant(), PLENTY))).isEqualTo(counted(1));
  }

  @Test
  default void purgesTheRecordsOfEveryTenantWhenAsked() {
    TestClaim mine = TestClaim.forNewKey();
    TestClaim theirs = TestClaim.forNewKey();
    mine.grantedBy(store());
    theirs.grantedBy(store());
    elapse(TestClaim.LIFETIME);

    while (admin().purge(Purge.ofEveryTenant(PLENTY)) > 0) {
      // Other tests may have left records too, so the number of steps is not known.
    }

    assertThat(admin().purge(Purge.of(mine.key().tenant(), PLENTY))).isZero();
    assertThat(admin().purge(Purge.of(theirs.key().tenant(), PLENTY))).isZero();
  }

  @Test
  default void purgesNoOutcomeThatIsStillReplayed() {
    TestClaim ask = TestClaim.forNewKey();
    store().complete(ask.grantedBy(store()), Outcomes.FIRST, TestClaim.RETENTION);
    elapse(TestClaim.RETENTION.minusMinutes(1));

    assertNotPurged(ask, State.COMPLETED);
    assertThat(store().claim(ask.request())).isInstanceOf(Claim.Replay.class);
  }

  @Test
  default void purgesNoRunningLease() {
    TestClaim ask = TestClaim.forNewKey().withTimes(TestClaim.LEASE, Duration.ofMinutes(1));
    Claim.Granted owner = ask.grantedBy(store());
    elapse(TestClaim.LEASE.minusMinutes(1));
    store().renew(owner, TestClaim.LEASE);
    elapse(TestClaim.LEASE.minusMinutes(1));

    assertNotPurged(ask, State.IN_PROGRESS);
    store().complete(owner, Outcomes.FIRST, TestClaim.RETENTION);
  }

  @Test
  default void purgesNoUncertainRecordBeforeItsRetentionEnds() {
    TestClaim ask = TestClaim.forNewKey().withRecovery(Recovery.ASK);
    ask.grantedBy(store());
    elapse(TestClaim.RETENTION.minusMinutes(1));

    assertNotPurged(ask, State.UNCERTAIN);
    assertThat(store().claim(ask.request())).isInstanceOf(Claim.Uncertain.class);
  }

  @Test
  default void purgesNoLapsedLeaseThatMayBeTakenOver() {
    TestClaim ask = TestClaim.forNewKey();
    ask.grantedBy(store());
    elapse(TestClaim.LEASE);

    assertNotPurged(ask, State.IN_PROGRESS);
    assertThat(ask.grantedBy(store()).attempt()).isEqualTo(2);
  }

  @Test
  default void purgesNoOpenRecord() {
    TestClaim ask = TestClaim.forNewKey();
    store().release(ask.grantedBy(store()));
    elapse(TestClaim.LEASE);

    assertNotPurged(ask, State.OPEN);
  }

  @Test
  default void purgesNothingThatWasClaimedAnewAfterItExpired() {
    TestClaim ask = TestClaim.forNewKey();
    ask.grantedBy(store());
    elapse(TestClaim.LIFETIME);
    ask.grantedBy(store());

    assertNotPurged(ask, State.IN_PROGRESS);
  }

  @Test
  default void grantsAPurgedKeyAsNew() {
    TestClaim ask = TestClaim.forNewKey();
    store().complete(ask.grantedBy(store()), Outcomes.FIRST, TestClaim.RETENTION);
    elapse(TestClaim.LIFETIME);
    admin().purge(Purge.of(ask.key().tenant(), PLENTY));

    TestClaim other = ask.withFingerprint(TestClaim.OTHER_FINGERPRINT);

    assertThat(other.grantedBy(store()).attempt()).isEqualTo(1);
  }

  private void assertNotPurged(TestClaim ask, State state) {
    RecordView before = ask.viewIn(store());

    int ofTenant = admin().purge(Purge.of(ask.key().tenant(), PLENTY));
    while (admin().purge(Purge.ofEveryTenant(PLENTY)) > 0) {
      // Other tests may have left expired records; those may be removed.
    }

    assertThat(ofTenant).isZero();
    assertThat(ask.viewIn(store())).isEqualTo(before);
    assertThat(before.state()).isEqualTo(state);
  }

  /** How many of {@code expired} records a purge removes. */
  private int counted(int expired) {
    return forgetsByItself() ? 0 : expired;
  }

  private static TestClaim sibling(TestClaim ask, String value) {
    return ask.withKey(new Key(ask.key().tenant(), ask.key().scope(), value));
  }
}
