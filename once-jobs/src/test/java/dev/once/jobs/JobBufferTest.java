package dev.once.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** However few threads are woken, no job stays in the buffer while a thread could run it. */
class JobBufferTest {
  @RegisterExtension static final JobDatabase DATABASE = new JobDatabase("buffer");
  private static final int JOBS = 20_000;
  private static final int THREADS = 8;
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final AtomicLong now = new AtomicLong();
  private final JobBuffer buffer = new JobBuffer(now::get);

  @Test
  void everyJobIsTakenThoughThreadsAreInterruptedWhileTheyWait() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    JobLease lease = aLease();
    try {
      List<Future<Integer>> taken = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        taken.add(threads.submit(() -> takeUntilClosed(1)));
      }
      for (int i = 0; i < JOBS; i += 2) {
        buffer.add(List.of(lease, lease));
        if (i % 1000 == 0) {
          Polling.until(buffer::size, size -> size == 0);
        }
      }
      Polling.until(buffer::size, size -> size == 0);
      assertThat(buffer.close()).isEmpty();
      int sum = 0;
      for (Future<Integer> it : taken) {
        sum += it.get(10, TimeUnit.SECONDS);
      }
      assertThat(sum).isEqualTo(JOBS);
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void jobsThatArriveDuringShortTransactionsShareTheNext() throws Exception {
    ExecutorService first = Executors.newSingleThreadExecutor();
    ExecutorService second = Executors.newSingleThreadExecutor();
    ExecutorService third = Executors.newSingleThreadExecutor();
    JobLease lease = aLease();
    try {
      buffer.add(List.of(lease));
      assertThat(first.submit(() -> buffer.take(it -> 10)).get()).hasSize(1);
      buffer.add(List.of(lease));
      assertThat(second.submit(() -> buffer.take(it -> 10)).get()).hasSize(1);
      Future<List<JobLease>> late = third.submit(() -> buffer.take(it -> 10));
      buffer.add(List.of(lease));
      buffer.add(List.of(lease));

      assertThat(first.submit(() -> buffer.take(it -> 10)).get()).hasSize(2);
      assertThat(late.isDone()).isFalse();
      buffer.close();
      assertThat(late.get(10, TimeUnit.SECONDS)).isEmpty();
    } finally {
      List.of(first, second, third).forEach(ExecutorService::shutdownNow);
    }
  }

  @Test
  void jobsDoNotWaitForLongTransactionsNorIfTheyFillOne() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(4);
    JobLease lease = aLease();
    try {
      for (int i = 0; i < 2; i++) {
        buffer.add(List.of(lease));
        assertThat(threads.submit(() -> buffer.take(it -> 10)).get()).hasSize(1);
      }
      buffer.add(Collections.nCopies(10, lease));
      Future<List<JobLease>> full = threads.submit(() -> buffer.take(it -> 10));
      assertThat(full.get(10, TimeUnit.SECONDS)).hasSize(10);
      buffer.add(List.of(lease));
      Future<List<JobLease>> late = threads.submit(() -> buffer.take(it -> 10));
      now.addAndGet(MINUTE.toNanos());

      assertThat(late.get(10, TimeUnit.SECONDS)).hasSize(1);
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void aThreadThatRunsOutOfMemoryLeavesTheJobToTheNext() throws Exception {
    buffer.add(List.of(aLease()));
    AtomicInteger calls = new AtomicInteger();

    assertThatThrownBy(
            () ->
                buffer.take(
                    it -> {
                      if (calls.incrementAndGet() == 2) { // While it takes the job.
                        throw new OutOfMemoryError("simulated");
                      }
                      return 10;
                    }))
        .isInstanceOf(OutOfMemoryError.class);

    assertThat(buffer.size()).isEqualTo(1);
    assertThat(buffer.take(it -> 1)).hasSize(1);
  }

  private int takeUntilClosed(int batchSize) {
    int count = 0;
    while (true) {
      try {
        List<JobLease> taken = buffer.take(it -> batchSize);
        if (taken.isEmpty()) {
          return count;
        }
        count += taken.size();
        if (count % 3 == 0) {
          Thread.currentThread().interrupt(); // Its next wait ends by an exception.
        }
      } catch (InterruptedException e) {
        // It waits again.
      }
    }
  }

  private static JobLease aLease() {
    DATABASE.jobs().enqueue(TestJobs.job("mine"));
    return new JobStatements(DATABASE).leaseOf(new JobStatements(DATABASE).claimOne("mail"));
  }
}
