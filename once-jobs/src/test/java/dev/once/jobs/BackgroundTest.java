package dev.once.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Background threads survive every exception and error; otherwise jobs would be stuck without
 * notice.
 */
@SuppressWarnings("try") // Workers work until they are closed.
class BackgroundTest {
  @RegisterExtension static final JobDatabase DATABASE = new JobDatabase("background");
  private static final Duration LEASE = Duration.ofSeconds(1);

  private final JobStatements statements = new JobStatements(DATABASE);
  private final AtomicInteger failures = new AtomicInteger();
  private final AtomicInteger calls = new AtomicInteger();

  @ParameterizedTest
  @ValueSource(strings = {"mail-claim", "settle", "heartbeat", "maintenance", "batches"})
  void aPoolThatThrowsAnErrorEndsNoThread(String thread) {
    try (Jobs jobs = Jobs.over(throwingTwiceIn("once-jobs-" + thread));
        Workers workers = start(jobs)) {
      jobs.enqueue(TestJobs.job("1"));

      statements.awaitAllDone();
    }

    assertThat(failures).hasValue(2);
    assertThat(calls).hasValue(2);
  }

  private Workers start(Jobs jobs) {
    return Workers.over(jobs)
        .withoutListen()
        .pollInterval(Duration.ofMillis(50))
        .queue(Queue.named("mail").withSlots(1).withLease(LEASE))
        .handle("mail", "welcome", Handler.transactional((run, connection) -> handle(run)))
        .start();
  }

  /** Fails once, which has to be settled, and then takes longer than its lease. */
  private void handle(JobRun run) throws InterruptedException {
    calls.incrementAndGet();
    if (run.attempt() == 1) {
      throw new JobException.Retry("once more", Duration.ofMillis(10));
    }
    statements.awaitRenewedBy(LEASE.multipliedBy(2), run);
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
