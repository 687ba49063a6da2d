package dev.once.jdbc.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Regression tests: each one failed before the interleaving in it was fixed. */
@Timeout(120)
class BatcherRaceTest {
  /**
   * The risk: a call gives up when its answer arrives, and a live worker is not counted any more.
   */
  @Test
  void countsItsWorkersRightWhenAnswersComeAtTheLastMoment() throws Exception {
    long timeout = TimeUnit.MILLISECONDS.toNanos(20);
    StoreThreads threads = StoreThreads.withoutDirectCalls(Duration.ofNanos(timeout));
    Function<String, String> single =
        item -> {
          long until =
              System.nanoTime()
                  + 2 * timeout
                  + ThreadLocalRandom.current().nextLong(-100_000, 300_000);
          for (long left; (left = until - System.nanoTime()) > 0; ) {
            if (left > 200_000) {
              LockSupport.parkNanos(left - 200_000);
            }
          }
          return item;
        };
    Function<List<String>, List<Supplier<String>>> batch =
        items -> items.stream().<Supplier<String>>map(it -> () -> it).toList();
    Batcher<String, String> batcher = new Batcher<>(threads, single, batch, it -> 1);
    int drift = 0;
    for (int i = 0; i < 150 && drift == 0; i++) {
      try {
        batcher.submit("a");
      } catch (StoreException e) {
        // In time or not.
      }
      TimeUnit.MILLISECONDS.sleep(5);
      drift = batcher.workers();
    }
    assertThat(drift).isZero();
  }
}
