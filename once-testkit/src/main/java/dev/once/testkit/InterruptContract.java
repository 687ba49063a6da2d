package dev.once.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.once.Headers;
import dev.once.LeaseLostException;
import dev.once.Recovery;
import dev.once.spi.Claim;
import dev.once.spi.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** An interrupt changes no answer, and is still set when the call returns. */
interface InterruptContract extends StoreUnderTest {
  int INTERRUPTED_CALLERS = 8;
  int OPERATIONS_PER_CALLER = 20;

  @Test
  default void answersPlatformThreadsThatAreInterrupted() throws Exception {
    assertAnswersInterrupted(ThreadKind.PLATFORM);
  }

  /** The trap: an interrupt closes the socket that a virtual thread reads from. */
  @Test
  default void answersVirtualThreadsThatAreInterrupted() throws Exception {
    assumeTrue(ThreadKind.VIRTUAL.isAvailable(), "virtual threads");
    assertAnswersInterrupted(ThreadKind.VIRTUAL);
  }

  private void assertAnswersInterrupted(ThreadKind kind) throws Exception {
    List<Callable<Integer>> callers = new ArrayList<>();
    try (InterruptStorm storm = InterruptStorm.start(42)) {
      for (int i = 0; i < INTERRUPTED_CALLERS; i++) {
        InterruptStorm.Caller caller = storm.newCaller();
        callers.add(
            () -> {
              for (int operation = 0; operation < OPERATIONS_PER_CALLER; operation++) {
                completeWhileInterrupted(caller);
                releaseWhileInterrupted(caller);
                reconcileWhileInterrupted(caller);
              }
              return OPERATIONS_PER_CALLER;
            });
      }

      assertThat(ConcurrentCalls.together(kind.factory(), callers)).hasSize(INTERRUPTED_CALLERS);
      assertThat(storm.interrupts()).isPositive();
    }
  }

  private void completeWhileInterrupted(InterruptStorm.Caller caller) {
    TestClaim ask = TestClaim.forNewKey();
    Claim replay = new Claim.Replay(Outcomes.FIRST, Headers.NONE);

    Claim.Granted owner = caller.call(() -> ask.grantedBy(store()));
    assertThat(caller.call(() -> otherStore().claim(ask.request()))).isInstanceOf(Claim.Held.class);
    caller.run(() -> store().renew(owner, TestClaim.LEASE));
    caller.run(() -> store().complete(owner, Outcomes.FIRST, TestClaim.RETENTION));
    assertThat(caller.call(() -> store().claim(ask.request()))).isEqualTo(replay);
    assertThat(caller.call(() -> ask.viewIn(store())).state()).isEqualTo(State.COMPLETED);
  }

  private void releaseWhileInterrupted(InterruptStorm.Caller caller) {
    TestClaim ask = TestClaim.forNewKey();

    Claim.Granted first = caller.call(() -> ask.grantedBy(store()));
    caller.run(() -> store().release(first));
    assertThatThrownBy(
            () -> caller.run(() -> store().complete(first, Outcomes.FIRST, TestClaim.RETENTION)))
        .isInstanceOf(LeaseLostException.class);
    Claim.Granted second = caller.call(() -> ask.grantedBy(store()));
    assertThat(second.fence()).isGreaterThan(first.fence());
  }

  private void reconcileWhileInterrupted(InterruptStorm.Caller caller) {
    TestClaim ask = TestClaim.forNewKey().withRecovery(Recovery.ASK);

    Claim.Granted first = caller.call(() -> ask.grantedBy(store()));
    caller.run(() -> store().renew(first, Duration.ZERO));
    assertThat(caller.call(() -> store().claim(ask.request()))).isInstanceOf(Claim.Uncertain.class);
    Claim.Granted second = caller.call(() -> ask.reconciledBy(store()));
    assertThat(second.fence()).isGreaterThan(first.fence());
  }
}
