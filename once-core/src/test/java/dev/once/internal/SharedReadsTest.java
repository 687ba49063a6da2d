package dev.once.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.once.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Something large is read once for all calls that need it at the same time. */
class SharedReadsTest {
  private static final String LARGE = "report 1";
  private static final String VALUE = "what it says";

  private final SharedReads<String, String> shared = new SharedReads<>();
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
    List<Future<String>> answers = new ArrayList<>();
    answers.add(callers.submit(() -> shared.read(LARGE, this::read)));
    reading.await();
    for (int i = 1; i < 64; i++) {
      answers.add(callers.submit(() -> shared.read(LARGE, this::read)));
    }

    open.countDown();

    for (Future<String> answer : answers) {
      assertThat(answer.get(10, TimeUnit.SECONDS)).isEqualTo(VALUE);
    }
    // A call that came after the first read had ended reads again.
    assertThat(reads.get()).isLessThan(64);
  }

  @Test
  void readsAgainAfterAFailure() {
    assertThatThrownBy(
            () ->
                shared.read(
                    LARGE,
                    () -> {
                      throw new StoreException("away", null);
                    }))
        .hasMessage("away");
    open.countDown();

    assertThat(shared.read(LARGE, this::read)).isEqualTo(VALUE);
  }

  private String read() {
    reads.incrementAndGet();
    reading.countDown();
    try {
      open.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return VALUE;
  }
}
