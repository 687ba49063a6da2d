package dev.once.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.once.Key;
import dev.once.StoreException;
import dev.once.spi.Claim;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A large outcome is read once for all calls that want it at the same time. */
class OutcomeFetchesTest {
  private static final BatchedAnswer.LargeReplay LARGE =
      new BatchedAnswer.LargeReplay(new Key("acme", "reports", "1"), 7);
  private static final Optional<Claim> CLAIM = Optional.of(new Claim.Held(Duration.ZERO));

  private final OutcomeFetches fetches = new OutcomeFetches();
  private final AtomicInteger reads = new AtomicInteger();
  private final CountDownLatch reading = new CountDownLatch(1);
  private final CountDownLatch open = new CountDownLatch(1);
  private final ExecutorService callers = Executors.newCachedThreadPool();

  @AfterEach
  void stop() {
    callers.shutdownNow();
  }

  @Test
  void readsOnceForManyCallers() throws Exception {
    List<Future<Optional<Claim>>> answers = new ArrayList<>();
    answers.add(callers.submit(() -> fetches.fetch(LARGE, this::read)));
    reading.await();
    for (int i = 1; i < 64; i++) {
      answers.add(callers.submit(() -> fetches.fetch(LARGE, this::read)));
    }

    open.countDown();

    for (Future<Optional<Claim>> answer : answers) {
      assertThat(answer.get(10, TimeUnit.SECONDS)).isEqualTo(CLAIM);
    }
    // A call that came after the first read had ended reads again.
    assertThat(reads.get()).isLessThan(64);
  }

  @Test
  void readsAgainAfterAFailure() {
    assertThatThrownBy(
            () ->
                fetches.fetch(
                    LARGE,
                    () -> {
                      throw new StoreException("away", null);
                    }))
        .hasMessage("away");
    open.countDown();

    assertThat(fetches.fetch(LARGE, this::read)).isEqualTo(CLAIM);
  }

  private Optional<Claim> read() {
    reads.incrementAndGet();
    reading.countDown();
    try {
      open.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return CLAIM;
  }
}
