package dev.once.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.Key;
import dev.once.LeaseLostException;
import dev.once.spi.Claim;
import dev.once.spi.State;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** An operator acts on one key alone; if an operator and an owner act at once, one is first. */
interface OperatorContract extends ReopenContract, ExpireContract {
  int OPERATORS = 8;
  int OPERATIONS = 25;

  @Test
  default void operatesOnOneKeyAlone() {
    TestClaim ask = TestClaim.forNewKey();
    Key key = ask.key();
    TestClaim sibling = TestClaim.forKey(new Key(key.tenant(), key.scope(), "other"));
    TestClaim cousin = TestClaim.forKey(new Key(key.tenant(), "other", key.value()));
    TestClaim stranger =
        TestClaim.forKey(new Key(key.tenant() + "-other", key.scope(), key.value()));
    ask.grantedBy(store());
    sibling.grantedBy(store());
    cousin.grantedBy(store());
    stranger.grantedBy(store());

    assertThat(admin().reopen(key)).isTrue();
    assertThat(admin().expire(key)).isTrue();

    assertThat(sibling.viewIn(store()).state()).isEqualTo(State.IN_PROGRESS);
    assertThat(cousin.viewIn(store()).state()).isEqualTo(State.IN_PROGRESS);
    assertThat(stranger.viewIn(store()).state()).isEqualTo(State.IN_PROGRESS);
  }

  @Test
  default void letsEitherTheOwnerOrAReopeningOperatorWin() throws Exception {
    for (int round = 0; round < OPERATIONS; round++) {
      TestClaim ask = TestClaim.forNewKey();
      Claim.Granted owner = ask.grantedBy(store());

      List<Boolean> won =
          ConcurrentCalls.<Boolean>together(
              List.of(
                  () ->
                      succeeds(() -> store().complete(owner, Outcomes.FIRST, TestClaim.RETENTION)),
                  () -> otherAdmin().reopen(ask.key())));

      assertThat(won).as("owner and operator in round %d", round).containsOnlyOnce(true);
      State expected = won.get(0) ? State.COMPLETED : State.OPEN;
      assertThat(ask.viewIn(store()).state()).isEqualTo(expected);
    }
  }

  /**
   * The trap: look up, find that the lease ran out, and forget a record that was renewed meanwhile.
   */
  @Test
  default void letsEitherTheLateOwnerOrAnExpiringOperatorWin() throws Exception {
    for (int round = 0; round < OPERATIONS; round++) {
      TestClaim ask = TestClaim.forNewKey();
      Claim.Granted late = ask.grantedBy(store());
      elapse(TestClaim.LEASE);

      List<Boolean> won =
          ConcurrentCalls.<Boolean>together(
              List.of(
                  () -> succeeds(() -> store().renew(late, TestClaim.LEASE)),
                  () -> otherAdmin().expire(ask.key())));

      assertThat(won).as("owner and operator in round %d", round).containsOnlyOnce(true);
      assertThat(store().find(ask.key()).isPresent()).isEqualTo(won.get(0));
    }
  }

  @Test
  default void reopensAKeyOnceForManyOperators() throws Exception {
    for (int round = 0; round < OPERATIONS; round++) {
      TestClaim ask = TestClaim.forNewKey();
      ask.grantedBy(store());

      List<Boolean> reopened =
          ConcurrentCalls.together(
              ConcurrentCalls.times(OPERATORS, () -> otherAdmin().reopen(ask.key())));

      assertThat(reopened).as("operators in round %d", round).containsOnlyOnce(true);
    }
  }

  @Test
  default void grantsOneOfTheClaimsThatRaceForARecordThatIsExpired() throws Exception {
    for (int round = 0; round < OPERATIONS; round++) {
      TestClaim ask = TestClaim.forNewKey();
      store().complete(ask.grantedBy(store()), Outcomes.FIRST, TestClaim.RETENTION);
      List<Callable<Claim>> tasks = new ArrayList<>();
      tasks.addAll(ConcurrentCalls.times(OPERATORS - 1, () -> store().claim(ask.request())));
      tasks.add(() -> expireAndAsk(ask));

      List<Claim> claims = ConcurrentCalls.together(tasks);

      assertThat(claims).filteredOn(Claim.Granted.class::isInstance).hasSize(1);
      assertThat(claims).doesNotHaveAnyElementsOfTypes(Claim.Uncertain.class);
    }
  }

  private Claim expireAndAsk(TestClaim ask) {
    assertThat(otherAdmin().expire(ask.key())).isTrue();
    return otherStore().claim(ask.request());
  }

  private static boolean succeeds(Runnable transition) {
    try {
      transition.run();
      return true;
    } catch (LeaseLostException e) {
      return false;
    }
  }
}
