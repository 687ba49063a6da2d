package dev.once.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.spi.Claim;
import dev.once.spi.ClaimRequest;
import dev.once.spi.RecordStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * No caller waits for a {@linkplain StoreUnderTest#foreignTransactions foreign transaction} that
 * stays open, whether it claims the key that the transaction works on or another one.
 */
interface OpenTransactionContract extends StoreUnderTest {
  /** How long a claim may take while a transaction is open. */
  Duration OPEN_TRANSACTION_BOUND = Duration.ofSeconds(2);

  int CALLERS_DURING_TRANSACTION = 64;

  @TestFactory
  default Stream<DynamicTest> holdsAKeyInAnOpenTransaction() {
    return foreignTransactions().stream()
        .map(it -> DynamicTest.dynamicTest(it.name(), () -> assertHeldDuring(it)));
  }

  @TestFactory
  default Stream<DynamicTest> replaysAnOutcomeInAnOpenTransaction() {
    return foreignTransactions().stream()
        .filter(it -> !it.onExpiredRecords())
        .map(it -> DynamicTest.dynamicTest(it.name(), () -> assertReplayedDuring(it)));
  }

  @TestFactory
  default Stream<DynamicTest> answersClaimsOfOtherKeysDuringAnOpenTransaction() {
    return foreignTransactions().stream()
        .map(it -> DynamicTest.dynamicTest(it.name(), () -> assertOthersAnsweredDuring(it)));
  }

  private void assertHeldDuring(ForeignTransaction transaction) throws Exception {
    TestClaim ask = vacantFor(transaction);
    List<Callable<TimedClaim>> alone = List.of(() -> TimedClaim.of(store(), ask.request()));

    List<TimedClaim> claims = claimsDuring(transaction, ask, alone);

    assertThat(claims).allSatisfy(it -> assertThat(it.claim()).isInstanceOf(Claim.Held.class));
    assertInTime(claims);
    assertThat(store().claim(ask.request())).as("after it").isInstanceOf(Claim.Granted.class);
  }

  private void assertReplayedDuring(ForeignTransaction transaction) throws Exception {
    TestClaim ask = TestClaim.forNewKey();
    store().complete(ask.grantedBy(store()), Outcomes.FIRST, TestClaim.RETENTION);
    List<Callable<TimedClaim>> callers =
        ConcurrentCalls.times(
            CALLERS_DURING_TRANSACTION, () -> TimedClaim.of(store(), ask.request()));

    List<TimedClaim> claims = claimsDuring(transaction, ask, callers);

    assertThat(claims).allSatisfy(it -> assertThat(it.claim()).isInstanceOf(Claim.Replay.class));
    assertInTime(claims);
  }

  /**
   * Some of the callers claim the key of the transaction, so that batches contain it among others.
   */
  private void assertOthersAnsweredDuring(ForeignTransaction transaction) throws Exception {
    TestClaim ask = vacantFor(transaction);
    List<Callable<TimedClaim>> callers = new ArrayList<>();
    for (int i = 0; i < CALLERS_DURING_TRANSACTION; i++) {
      TestClaim asked = i % 4 == 0 ? ask : TestClaim.forNewKey();
      callers.add(() -> TimedClaim.of(store(), asked.request()));
    }

    List<TimedClaim> claims = claimsDuring(transaction, ask, callers);

    assertInTime(claims);
    for (int i = 0; i < CALLERS_DURING_TRANSACTION; i++) {
      Class<? extends Claim> expected = i % 4 == 0 ? Claim.Held.class : Claim.Granted.class;
      assertThat(claims.get(i).claim()).as("claim %d", i).isInstanceOf(expected);
    }
  }

  /** A key that would be granted if there were no transaction. */
  private TestClaim vacantFor(ForeignTransaction transaction) {
    TestClaim ask = TestClaim.forNewKey();
    ask.grantedBy(store());
    elapse(transaction.onExpiredRecords() ? TestClaim.LIFETIME : TestClaim.LEASE);
    return ask;
  }

  /** Ends the transaction after a while even if a caller waits for it, which is a failure. */
  private static List<TimedClaim> claimsDuring(
      ForeignTransaction transaction, TestClaim ask, List<Callable<TimedClaim>> callers)
      throws Exception {
    AutoCloseable open = transaction.opening().open(ask.key());
    try {
      return CompletableFuture.supplyAsync(() -> together(callers))
          .get(2 * OPEN_TRANSACTION_BOUND.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new AssertionError("calls wait for a foreign transaction: " + transaction.name(), e);
    } finally {
      open.close();
    }
  }

  private static List<TimedClaim> together(List<Callable<TimedClaim>> callers) {
    try {
      return ConcurrentCalls.together(callers);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static void assertInTime(List<TimedClaim> claims) {
    assertThat(claims)
        .allSatisfy(it -> assertThat(it.took()).isLessThanOrEqualTo(OPEN_TRANSACTION_BOUND));
  }

  /**
   * An answer to a claim.
   *
   * @param claim the answer
   * @param took how long the caller waited for it
   */
  record TimedClaim(Claim claim, Duration took) {
    static TimedClaim of(RecordStore store, ClaimRequest request) {
      long started = System.nanoTime();
      Claim claim = store.claim(request);
      return new TimedClaim(claim, Duration.ofNanos(System.nanoTime() - started));
    }
  }
}
