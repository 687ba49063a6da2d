package dev.once.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.Headers;
import dev.once.Outcome;
import dev.once.Payload;
import dev.once.spi.Claim;
import dev.once.spi.RecordStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** Outcomes of mebibytes are recorded and replayed to many callers at the same moment. */
interface LargeOutcomeContract extends StoreUnderTest {
  int LARGE_REPLAYS = 64;
  int LARGE_REPLAY_BYTES = 8 << 20;
  int LARGE_COMPLETIONS = 8;
  int LARGE_COMPLETION_BYTES = 4 << 20;

  /** The trap: a store that batches replays reads all of them into memory, or into one message. */
  @Test
  default void replaysALargeOutcomeToManyCallersAtOnce() throws Exception {
    TestClaim ask = TestClaim.forNewKey();
    Outcome outcome = noise(LARGE_REPLAY_BYTES, 1);
    store().complete(ask.grantedBy(store()), outcome, TestClaim.RETENTION);
    Claim replay = new Claim.Replay(outcome, Headers.NONE);
    List<Callable<Boolean>> callers = new ArrayList<>();
    for (int i = 0; i < LARGE_REPLAYS; i++) {
      RecordStore node = i % 2 == 0 ? store() : otherStore();
      callers.add(() -> node.claim(ask.request()).equals(replay));
    }

    assertThat(ConcurrentCalls.together(callers))
        .as("replays that equal the outcome")
        .containsOnly(true);
  }

  @Test
  default void completesManyLargeOutcomesAtOnce() throws Exception {
    List<Callable<Boolean>> owners = new ArrayList<>();
    for (int i = 0; i < LARGE_COMPLETIONS; i++) {
      TestClaim ask = TestClaim.forNewKey();
      Claim.Granted owner = ask.grantedBy(store());
      Outcome outcome = noise(LARGE_COMPLETION_BYTES, i);
      owners.add(
          () -> {
            store().complete(owner, outcome, TestClaim.RETENTION);
            return otherStore()
                .claim(ask.request())
                .equals(new Claim.Replay(outcome, Headers.NONE));
          });
    }

    assertThat(ConcurrentCalls.together(owners))
        .as("replays that equal the outcome")
        .containsOnly(true);
  }

  private static Outcome noise(int bytes, long seed) {
    return Outcome.completed(Payload.of(Outcomes.noise(bytes, seed)));
  }
}
