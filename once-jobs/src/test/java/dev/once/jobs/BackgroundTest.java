package dev.once.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Background threads survive every exception and error; otherwise jobs would be stuck without
 * notice.
 */
class BackgroundTest {
  private static final JobDatabase DATABASE = new JobDatabase("background");
  private static final Duration LEASE = Duration.ofSeconds(1);

  private final JobStatements desk = new JobStatements(DATABASE);
  private final AtomicInteger failures = new AtomicInteger();
  private final AtomicInteger calls = new AtomicInteger();

  @AfterAll
  static void close() {
    DATABASE.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"notes-claim", "settle", "heartbeat", "maintenance"})
  void aPoolThatThrowsAnErrorEndsNoThread(String thread) {
    desk.empty();
    try (Jobs jobs = Jobs.over(throwingTwiceIn("once-jobs-" + thread));
        Workers workers = start(jobs)) {
      jobs.enqueue(Job.of(new JobKey("acme", "notes", "note", "1")));

      assertThat(workers).isNotNull();
      Polling.until(desk::states, List::isEmpty);
    }

    assertThat(failures).hasValue(2);
    assertThat(calls).hasValue(2);
  }

  private Workers start(Jobs jobs) {
    return Workers.over(jobs)
        .withoutListen()
        .pollInterval(Duration.ofMillis(50))
        .queue(Queue.named("notes").withSlots(1).withLease(LEASE))
        .handle("notes", "note", Handler.transactional((run, connection) -> handle(run)))
        .start();
  }

  /** Fails once, which has to be settled, and then takes longer than its lease. */
  private void handle(JobRun run) throws InterruptedException {
    calls.incrementAndGet();
    if (run.attempt() == 1) {
      throw new JobException.Retry("once more", Duration.ofMillis(10));
    }
    desk.awaitRenewedBy(LEASE.multipliedBy(2), run);
  }

  private DataSource throwingTwiceIn(String thread) {
    return (DataSource)
        Proxy.newProxyInstance(
            DataSource.class.getClassLoader(),
            new Class<?>[] {DataSource.class},
            (proxy, method, arguments) -> {
              if (thread.endsWith("heartbeat") && isStartingHeartbeat()) {
                throw new SQLException("the heartbeat's own thread has to try again");
              }
              String name = Thread.currentThread().getName();
              if (name.equals(thread) && failures.get() < 2) {
                failures.incrementAndGet();
                throw new OutOfMemoryError("not really");
              }
              try {
                return method.invoke(DATABASE.dataSource(), arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private static boolean isStartingHeartbeat() {
    return StackWalker.getInstance()
        .walk(frames -> frames.anyMatch(it -> it.getMethodName().startsWith("reserveConnection")));
  }
}
