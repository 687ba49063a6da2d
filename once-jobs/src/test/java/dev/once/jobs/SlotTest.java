package dev.once.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Whatever a handler throws, its slot continues and its job is settled. */
@SuppressWarnings("try") // Workers work until they are closed.
class SlotTest {
  @RegisterExtension static final JobDatabase DATABASE = new JobDatabase("slot");

  private final Jobs jobs = DATABASE.jobs();
  private final JobStatements statements = new JobStatements(DATABASE);

  @Test
  void anErrorIsAFailedTry() {
    AtomicInteger calls = new AtomicInteger();
    jobs.enqueueAll(TestJobs.jobs(1));

    try (Workers workers =
        start(
            Handler.transactional(
                (run, connection) -> {
                  if (calls.incrementAndGet() == 1) {
                    throw new AssertionError("badly wrong");
                  }
                }))) {
      statements.awaitAllDone();
    }

    assertThat(calls).hasValue(2);
  }

  @Test
  void anErrorInASharedTransactionIsAFailedTryOfOneJob() {
    jobs.enqueueAll(TestJobs.jobs(5));

    try (Workers workers =
        start(
            Handler.transactional(
                    (run, connection) -> {
                      if (run.key().resource().equals("2") && run.attempt() == 1) {
                        throw new AssertionError("badly wrong");
                      }
                    })
                .withBatchSize(5))) {
      statements.awaitAllDone();
    }

    assertThat(DATABASE.query("SELECT key || ' ' || attempt FROM once_job_done ORDER BY key"))
        .containsExactly("welcome:0 1", "welcome:1 1", "welcome:2 2", "welcome:3 1", "welcome:4 1");
  }

  @Test
  void anExceptionThatCannotBePrintedCostsATryAndNotTheSlot() {
    jobs.enqueueAll(TestJobs.jobs(2));

    try (Workers workers =
        start(
            Handler.transactional(
                (run, connection) -> {
                  if (run.key().resource().equals("0") && run.attempt() == 1) {
                    throw new UnprintableException();
                  }
                }))) {
      statements.awaitAllDone();
    }

    assertThat(DATABASE.query("SELECT key || ' ' || attempt FROM once_job_done ORDER BY key"))
        .containsExactly("welcome:0 2", "welcome:1 1");
  }

  @Test
  void aListenerThatThrowsChangesNothing() {
    AtomicInteger events = new AtomicInteger();
    jobs.enqueueAll(TestJobs.jobs(3));

    try (Jobs listened =
            Jobs.builder(DATABASE.dataSource())
                .listener(
                    event -> {
                      if (event instanceof JobEvent.Started && events.incrementAndGet() == 2) {
                        throw new AssertionError("too many events");
                      }
                    })
                .build();
        Workers workers = start(listened, Handler.transactional((run, connection) -> {}))) {
      statements.awaitAllDone();
    }

    assertThat(events).hasValue(3);
  }

  private static final class UnprintableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    @Override
    public String getMessage() {
      throw new IllegalStateException("unprintable");
    }
  }

  private Workers start(Handler handler) {
    return start(jobs, handler);
  }

  private static Workers start(Jobs jobs, Handler handler) {
    return Workers.over(jobs)
        .pollInterval(Duration.ofMillis(50))
        .queue(Queue.named("mail").withSlots(1).withLease(Duration.ofSeconds(1)))
        .handle("mail", "welcome", handler.withRetries(TestJobs.SOON))
        .start();
  }
}
