package dev.once.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SupervisedThreadTest {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final AtomicInteger runs = new AtomicInteger();
  private final AtomicBoolean isClosed = new AtomicBoolean();

  @Test
  void aTaskThatEndsByAnErrorRunsAgainAlsoIfItCannotBeReported() throws Exception {
    CountDownLatch reported = new CountDownLatch(2);
    JobListener listener =
        event -> {
          reported.countDown();
          throw new OutOfMemoryError("not really");
        };
    SupervisedThread thread = thread(this::failTwice, listener);

    assertThat(thread.join(PATIENCE)).isTrue();
    assertThat(runs).hasValue(3);
    assertThat(reported.await(0, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void aTaskThatFailsAfterItsThreadWasClosedDoesNotRunAgain() throws Exception {
    isClosed.set(true);

    assertThat(thread(this::failTwice, JobListener.NONE).join(PATIENCE)).isTrue();
    assertThat(runs).hasValue(1);
  }

  @Test
  void anInterruptEndsIt() throws Exception {
    SupervisedThread thread = thread(() -> new CountDownLatch(1).await(), JobListener.NONE);

    thread.interrupt();

    assertThat(thread.join(PATIENCE)).isTrue();
  }

  private void failTwice() {
    if (runs.incrementAndGet() < 3) {
      throw new OutOfMemoryError("not really");
    }
  }

  private SupervisedThread thread(SupervisedThread.Task task, JobListener listener) {
    SupervisedThread thread =
        new SupervisedThread("test", "testing", task, isClosed::get, listener);
    thread.start();
    return thread;
  }
}
