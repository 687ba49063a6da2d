package dev.once.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whatever a handler throws, its slot continues and its job is settled. */
class SlotTest {
  private static final JobDatabase DATABASE = new JobDatabase("slot");
  private static final RetryPolicy AT_ONCE =
      RetryPolicy.DEFAULT.withDelays(Duration.ZERO, Duration.ZERO);

  private final Jobs jobs = Jobs.over(DATABASE.dataSource());
  private final JobStatements desk = new JobStatements(DATABASE);

  @AfterAll
  static void close() {
    DATABASE.close();
  }

  @BeforeEach
  void empty() {
    desk.empty();
  }

  @Test
  void anErrorIsAFailedTry() {
    AtomicInteger calls = new AtomicInteger();
    enqueue(1);

    try (Workers workers =
        start(
            Handler.transactional(
                (run, connection) -> {
                  if (calls.incrementAndGet() == 1) {
                    throw new AssertionError("badly wrong");
                  }
                }))) {
      awaitAllDone(workers);
    }

    assertThat(calls).hasValue(2);
  }

  @Test
  void anErrorInASharedTransactionIsAFailedTryOfOneJob() {
    enqueue(5);

    try (Workers workers =
        start(
            Handler.transactional(
                    (run, connection) -> {
                      if (run.key().resource().equals("2") && run.attempt() == 1) {
                        throw new AssertionError("badly wrong");
                      }
                    })
                .withBatchSize(5))) {
      awaitAllDone(workers);
    }

    assertThat(DATABASE.query("SELECT key || ' ' || attempt FROM once_job_done ORDER BY key"))
        .containsExactly("note:0 1", "note:1 1", "note:2 2", "note:3 1", "note:4 1");
  }

  @Test
  void anExceptionThatCannotBePrintedCostsATryAndNotTheSlot() {
    enqueue(2);

    try (Workers workers =
        start(
            Handler.transactional(
                (run, connection) -> {
                  if (run.key().resource().equals("0") && run.attempt() == 1) {
                    throw new UnprintableException();
                  }
                }))) {
      awaitAllDone(workers);
    }

    assertThat(DATABASE.query("SELECT key || ' ' || attempt FROM once_job_done ORDER BY key"))
        .containsExactly("note:0 2", "note:1 1");
  }

  @Test
  void aListenerThatThrowsChangesNothing() {
    AtomicInteger events = new AtomicInteger();
    enqueue(3);

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
      awaitAllDone(workers);
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

  private void enqueue(int count) {
    jobs.enqueueAll(
        IntStream.range(0, count)
            .mapToObj(i -> Job.of(new JobKey("acme", "notes", "note", Integer.toString(i))))
            .toList());
  }

  private Workers start(Handler handler) {
    return start(jobs, handler);
  }

  private static Workers start(Jobs jobs, Handler handler) {
    return Workers.over(jobs)
        .pollInterval(Duration.ofMillis(50))
        .queue(Queue.named("notes").withSlots(1).withLease(Duration.ofSeconds(1)))
        .handle("notes", "note", handler.withRetries(AT_ONCE))
        .start();
  }

  private void awaitAllDone(Workers workers) {
    assertThat(workers).isNotNull();
    Polling.until(desk::states, List::isEmpty);
  }
}
