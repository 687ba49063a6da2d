package dev.once.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.Once;
import dev.once.jdbc.JdbcRecordStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A deadline interrupts the run that it was set for, and nothing else. */
class DeadlineTest {
  @RegisterExtension static final JobDatabase DATABASE = new JobDatabase("deadline");
  private static final Duration FAR = Duration.ofHours(1);

  private final JobStatements statements = new JobStatements(DATABASE);
  private final WorkerContext context = statements.context();
  private final Once once = Once.over(JdbcRecordStore.over(DATABASE.dataSource()));
  private final List<Boolean> late = new ArrayList<>();
  private final CountDownLatch working = new CountDownLatch(1);
  private final CountDownLatch locked = new CountDownLatch(1);
  private final TransactionalJobExecutor transactional =
      new TransactionalJobExecutor(context, this::failed);
  private final LeasedJobExecutor leased = new LeasedJobExecutor(context, this::failed);

  @AfterEach
  void close() {
    once.close();
  }

  @Test
  void aDeadlineThatPassesWhenTransactionalWorkEndsLeavesNoInterrupt() throws Exception {
    Handler.Transactional handler =
        Handler.transactional((run, connection) -> work()).withDeadline(FAR);

    assertThat(isInterruptedAfter(it -> transactional.run(List.of(it), handler))).isFalse();
  }

  @Test
  void aDeadlineThatPassesWhenLeasedWorkEndsLeavesNoInterrupt() throws Exception {
    Handler.Leased handler = Handler.leased(once, run -> work()).withDeadline(FAR);

    assertThat(isInterruptedAfter(it -> leased.run(it, handler))).isFalse();
  }

  @Test
  void aRunAfterARollbackDoesNotCountAsLateBecauseTheRunBeforeWas() {
    DATABASE.jobs().enqueueAll(TestJobs.jobs(2));
    List<JobLease> leases =
        statements.claim(Queue.named("mail"), 2).stream().map(statements::leaseOf).toList();
    AtomicBoolean isFirst = new AtomicBoolean(true);
    Handler.Transactional handler =
        Handler.transactional(
                (run, connection) -> {
                  if (isFirst.getAndSet(false)) {
                    new CountDownLatch(1).await(); // Until its deadline.
                  }
                  throw new IllegalStateException("no luck");
                })
            .withDeadline(Duration.ofMillis(50))
            .withBatchSize(2);

    transactional.run(leases, handler);

    assertThat(late).containsExactly(false, false);
  }

  private void failed(JobLease jobLease, RetryPolicy retries, Throwable thrown) {
    late.add(jobLease.hasExceededDeadline());
  }

  private void work() throws InterruptedException {
    working.countDown();
    locked.await();
  }

  /**
   * Returns whether a slot is interrupted after {@code run}, if the deadline passes when the work
   * has returned and before the lease knows it: the test holds the lease's lock at that moment.
   */
  private boolean isInterruptedAfter(Consumer<JobLease> run) throws Exception {
    DATABASE.jobs().enqueue(TestJobs.job("1"));
    JobLease jobLease = statements.leaseOf(statements.claimOne("mail"));
    AtomicBoolean isInterrupted = new AtomicBoolean();
    Thread slot =
        new Thread(
            () -> {
              run.accept(jobLease);
              isInterrupted.set(Thread.currentThread().isInterrupted());
            });
    slot.start();
    assertThat(working.await(30, TimeUnit.SECONDS)).isTrue();
    synchronized (jobLease) {
      locked.countDown();
      Polling.until(slot::getState, Thread.State.BLOCKED::equals);
      jobLease.exceedDeadline();
    }
    slot.join(Polling.PATIENCE.toMillis());
    assertThat(slot.isAlive()).isFalse();
    return isInterrupted.get();
  }
}
