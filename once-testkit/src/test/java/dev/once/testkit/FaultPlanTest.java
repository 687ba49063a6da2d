package dev.once.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.once.InMemoryRecordStore;
import dev.once.StoreException;
import dev.once.spi.Claim;
import dev.once.spi.RecordStore;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A plan does what its seed says, and only during a life. */
final class FaultPlanTest {
  private static final int SEEDS = 200;

  @Test
  void repeatsARunFromItsSeed() throws Exception {
    for (int seed = 0; seed < SEEDS; seed++) {
      assertThat(storyOf(seed)).isEqualTo(storyOf(seed));
    }
    assertThat(storyOf(1)).isNotEqualTo(storyOf(2));
  }

  @Test
  void plansEveryKindOfFault() throws Exception {
    StringBuilder stories = new StringBuilder();
    for (int seed = 0; seed < SEEDS; seed++) {
      stories.append(storyOf(seed));
    }

    assertThat(stories)
        .contains("crash before claim", "crash after claim", "crash in the effect")
        .contains("failure before complete", "failure after complete")
        .contains("pause of", "    a life starts");
  }

  @Test
  void keepsTheCallsOfADeadProcessFromTheStore() throws Exception {
    for (int seed = 0; seed < SEEDS; seed++) {
      FaultPlan faults = FaultPlan.seeded(seed);
      InMemoryRecordStore inner = new InMemoryRecordStore(faults.clock());
      RecordStore store = faults.around(inner);
      TestClaim ask = TestClaim.forNewKey();

      faults.life(() -> dieThen(faults, () -> ask.grantedBy(store)));

      assertThat(inner.find(ask.key())).as("the record under %s", faults).isEmpty();
    }
  }

  @Test
  void failsNothingOutsideALife() throws Exception {
    for (int seed = 0; seed < SEEDS; seed++) {
      FaultPlan faults = FaultPlan.seeded(seed);
      RecordStore store = faults.around(new InMemoryRecordStore(faults.clock()));
      TestClaim ask = TestClaim.forNewKey();

      store.complete(ask.grantedBy(store), Outcomes.FIRST, TestClaim.RETENTION);
      faults.point();

      assertThat(faults.clock().instant()).isEqualTo(TestClock.START);
    }
  }

  @Test
  void failsNothingAfterItHealed() throws Exception {
    FaultPlan faults = FaultPlan.seeded(1);
    RecordStore store = faults.around(new InMemoryRecordStore(faults.clock()));
    AtomicInteger ends = new AtomicInteger();
    faults.heal();

    for (int i = 0; i < SEEDS; i++) {
      faults.life(() -> store.release(TestClaim.forNewKey().grantedBy(store)));
      faults.life(ends::incrementAndGet);
    }

    assertThat(ends).hasValue(SEEDS);
  }

  @Test
  void letsEveryLeaseRunOutWhenItHeals() {
    FaultPlan faults = FaultPlan.seeded(1);
    RecordStore store = faults.around(new InMemoryRecordStore(faults.clock()));
    TestClaim ask = TestClaim.forNewKey();
    store.renew(ask.grantedBy(store), Duration.ofHours(2));

    faults.heal();

    assertThat(ask.grantedBy(store).attempt()).isEqualTo(2);
  }

  @Test
  void passesOnWhatItDidNotPlan() {
    FaultPlan faults = FaultPlan.seeded(1);

    assertThatThrownBy(() -> faults.life(() -> throwIt(new StoreException("disk full", null))))
        .hasMessage("disk full");
    assertThatThrownBy(() -> faults.life(() -> throwIt(new AssertionError("wrong"))))
        .hasMessage("wrong");
  }

  private static String storyOf(long seed) throws Exception {
    FaultPlan faults = FaultPlan.seeded(seed);
    RecordStore store = faults.around(new InMemoryRecordStore(faults.clock()));
    TestClaim ask = TestClaim.forNewKey();
    FaultPlan.Life life = () -> claimAndComplete(faults, store, ask);
    faults.meanwhile(life);
    for (int i = 0; i < 5; i++) {
      faults.life(life);
    }
    return faults.toString().replace(ask.key().toString(), "the key");
  }

  private static void claimAndComplete(FaultPlan faults, RecordStore store, TestClaim ask) {
    if (store.claim(ask.request()) instanceof Claim.Granted grant) {
      faults.point();
      store.complete(grant, Outcomes.FIRST, TestClaim.RETENTION);
    }
  }

  /** Continues like a careless process that catches everything. */
  private static void dieThen(FaultPlan faults, Runnable next) {
    try {
      while (true) {
        faults.point();
      }
    } catch (Error crash) {
      next.run();
    }
  }

  private static void throwIt(Throwable failure) throws Exception {
    if (failure instanceof Error error) {
      throw error;
    }
    throw (Exception) failure;
  }
}
