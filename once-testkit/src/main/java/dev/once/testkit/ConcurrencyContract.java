package dev.once.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.Headers;
import dev.once.LeaseLostException;
import dev.once.Outcome;
import dev.once.Recovery;
import dev.once.spi.Claim;
import dev.once.spi.Purge;
import dev.once.spi.RecordStore;
import dev.once.spi.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** Of all callers that claim at the same moment, one is granted. Races are run many times. */
interface ConcurrencyContract extends StoreUnderTest {
  int CALLERS = 32;
  int CLAIMS_PER_CALLER = 100;

  /** Few enough for a small connection pool, enough to race. */
  int RACERS = 8;

  int ROUNDS = 25;

  @Test
  default void grantsOneOfThousandsOfConcurrentClaims() throws Exception {
    TestClaim ask = TestClaim.forNewKey();
    List<Callable<List<Claim>>> callers = new ArrayList<>();
    for (int i = 0; i < CALLERS; i++) {
      RecordStore node = i % 2 == 0 ? store() : otherStore();
      callers.add(() -> claimManyTimes(node, ask));
    }

    List<Claim> claims = ConcurrentCalls.together(callers).stream().flatMap(List::stream).toList();

    assertThat(claims).hasSize(CALLERS * CLAIMS_PER_CALLER);
    assertThat(grantsAmong(claims)).hasSize(1);
    assertThat(claims).hasOnlyElementsOfTypes(Claim.Granted.class, Claim.Held.class);
  }

  @Test
  default void grantsOneOfTheClaimsThatTakeOverALapsedLease() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      TestClaim ask = TestClaim.forNewKey();
      ask.grantedBy(store());
      elapse(TestClaim.LEASE);

      List<Claim> claims = ConcurrentCalls.together(claimersOf(ask));

      assertThat(grantsAmong(claims)).as("grants in round %d", round).hasSize(1);
    }
  }

  @Test
  default void grantsOneReconcilerAtATime() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      TestClaim ask = TestClaim.forNewKey().withRecovery(Recovery.ASK);
      ask.grantedBy(store());
      elapse(TestClaim.LEASE);

      List<Claim> claims =
          ConcurrentCalls.together(
              ConcurrentCalls.times(
                  RACERS, () -> otherStore().claim(ask.request().withReconciling(true))));

      assertThat(grantsAmong(claims)).as("grants in round %d", round).hasSize(1);
      assertThat(claims).hasOnlyElementsOfTypes(Claim.Granted.class, Claim.Held.class);
    }
  }

  /** The trap: look up, find the key held, lock it, and rely on what was looked up before. */
  @Test
  default void doesNotGrantAKeyThatCompletesDuringTheClaim() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      TestClaim ask = TestClaim.forNewKey();
      Claim.Granted owner = ask.grantedBy(store());
      List<Callable<Claim>> tasks = claimersOf(ask);
      tasks.add(() -> completeAndAsk(owner, ask));

      List<Claim> claims = ConcurrentCalls.together(tasks);

      assertThat(claims).hasOnlyElementsOfTypes(Claim.Held.class, Claim.Replay.class);
      assertThat(claims).contains(new Claim.Replay(Outcomes.FIRST, Headers.NONE));
    }
  }

  /**
   * The trap: look up, find the key open, lock it, and grant it, although another caller was
   * granted it meanwhile.
   */
  @Test
  default void grantsOneOfTheClaimsThatRaceForAReleasedKey() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      TestClaim ask = TestClaim.forNewKey();
      Claim.Granted owner = ask.grantedBy(store());
      List<Callable<Claim>> tasks = claimersOf(ask);
      tasks.add(() -> releaseAndAsk(owner, ask));

      List<Claim> claims = ConcurrentCalls.together(tasks);

      assertThat(grantsAmong(claims)).as("grants in round %d", round).hasSize(1);
      assertThat(claims).hasOnlyElementsOfTypes(Claim.Granted.class, Claim.Held.class);
    }
  }

  /** The trap: the insert conflicts with a row that is gone when it is read. */
  @Test
  default void answersEveryClaimOnAnExpiredKeyWhileItIsPurged() throws Exception {
    TestClaim ask = TestClaim.forNewKey();
    ask.grantedBy(store());
    for (int round = 0; round < ROUNDS; round++) {
      elapse(TestClaim.LIFETIME);
      List<Callable<Claim>> tasks = claimersOf(ask);
      tasks.addAll(ConcurrentCalls.times(2, () -> purgeAndAsk(ask)));

      List<Claim> claims = ConcurrentCalls.together(tasks);

      assertThat(grantsAmong(claims)).as("grants in round %d", round).hasSize(1);
      assertThat(claims).hasOnlyElementsOfTypes(Claim.Granted.class, Claim.Held.class);
      assertThat(ask.viewIn(store()).fence()).isEqualTo(grantsAmong(claims).get(0).fence());
    }
  }

  @Test
  default void letsEitherTheLateOwnerOrItsSuccessorWin() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      TestClaim ask = TestClaim.forNewKey();
      Claim.Granted owner = ask.grantedBy(store());
      elapse(TestClaim.LEASE);
      List<Callable<Boolean>> tasks = new ArrayList<>();
      tasks.add(() -> completes(owner, Outcomes.FIRST));
      tasks.add(() -> otherStore().claim(ask.request()) instanceof Claim.Granted);

      List<Boolean> won = ConcurrentCalls.together(tasks);

      assertThat(won).as("owner and successor in round %d", round).containsOnlyOnce(true);
      State expected = won.get(0) ? State.COMPLETED : State.IN_PROGRESS;
      assertThat(ask.viewIn(store()).state()).isEqualTo(expected);
    }
  }

  /** A completion whose answer was lost is sent again while the first one is still in flight. */
  @Test
  default void completesOnceForOneGrantThatCompletesManyTimesAtOnce() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      TestClaim ask = TestClaim.forNewKey();
      Claim.Granted owner = ask.grantedBy(store());

      List<Boolean> done =
          ConcurrentCalls.together(
              ConcurrentCalls.times(RACERS, () -> completes(owner, Outcomes.FIRST)));

      assertThat(done).as("completions in round %d", round).containsOnly(true);
      assertThat(ask.viewIn(store()).outcome()).contains(Outcomes.FIRST);
    }
  }

  @Test
  default void keepsOperationsInParallelApart() throws Exception {
    List<Callable<Claim>> tasks = new ArrayList<>();
    for (int i = 0; i < RACERS; i++) {
      Outcome outcome = Outcomes.text("answer " + i);
      TestClaim ask = TestClaim.forNewKey();
      tasks.add(
          () -> {
            store().complete(ask.grantedBy(store()), outcome, TestClaim.RETENTION);
            return otherStore().claim(ask.request());
          });
    }

    List<Claim> claims = ConcurrentCalls.together(tasks);

    for (int i = 0; i < RACERS; i++) {
      Outcome expected = Outcomes.text("answer " + i);
      assertThat(claims.get(i)).isEqualTo(new Claim.Replay(expected, Headers.NONE));
    }
  }

  private List<Callable<Claim>> claimersOf(TestClaim ask) {
    List<Callable<Claim>> tasks = new ArrayList<>();
    tasks.addAll(ConcurrentCalls.times(RACERS / 2, () -> store().claim(ask.request())));
    tasks.addAll(ConcurrentCalls.times(RACERS / 2, () -> otherStore().claim(ask.request())));
    return tasks;
  }

  private static List<Claim> claimManyTimes(RecordStore node, TestClaim ask) {
    List<Claim> claims = new ArrayList<>();
    for (int i = 0; i < CLAIMS_PER_CALLER; i++) {
      claims.add(node.claim(ask.request()));
    }
    return claims;
  }

  private Claim completeAndAsk(Claim.Granted owner, TestClaim ask) {
    store().complete(owner, Outcomes.FIRST, Duration.ofHours(1));
    return store().claim(ask.request());
  }

  private Claim releaseAndAsk(Claim.Granted owner, TestClaim ask) {
    store().release(owner);
    return store().claim(ask.request());
  }

  private Claim purgeAndAsk(TestClaim ask) {
    admin().purge(Purge.of(ask.key().tenant(), 10));
    return store().claim(ask.request());
  }

  private boolean completes(Claim.Granted grant, Outcome outcome) {
    try {
      store().complete(grant, outcome, TestClaim.RETENTION);
      return true;
    } catch (LeaseLostException e) {
      return false;
    }
  }

  private static List<Claim.Granted> grantsAmong(List<Claim> claims) {
    return claims.stream()
        .filter(Claim.Granted.class::isInstance)
        .map(Claim.Granted.class::cast)
        .toList();
  }
}
