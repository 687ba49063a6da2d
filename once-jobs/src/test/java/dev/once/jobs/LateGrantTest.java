package dev.once.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.InMemoryRecordStore;
import dev.once.Once;
import dev.once.spi.RecordStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A job is claimed twice: from its queue, and from the engine, which may take long. */
@SuppressWarnings("try") // Workers work until they are closed.
class LateGrantTest {
  @RegisterExtension static final JobDatabase DATABASE = new JobDatabase("late_grant");

  private final CountDownLatch reached = new CountDownLatch(1);
  private final CountDownLatch lost = new CountDownLatch(1);
  private final CountDownLatch open = new CountDownLatch(1);
  private final List<Long> fences = new CopyOnWriteArrayList<>();

  @Test
  void aWorkerThatLostItsJobBeforeTheEngineAnsweredDoesNotBegin() throws Exception {
    JobStatements statements = new JobStatements(DATABASE);
    long first;
    try (Jobs jobs = Jobs.builder(DATABASE.dataSource()).listener(this::record).build();
        Once once = Once.over(slow(new InMemoryRecordStore()));
        Workers workers = start(jobs, once)) {
      jobs.enqueue(TestJobs.job("user-42"));
      reached.await();
      first = statements.fence();

      DATABASE.execute("UPDATE once_job SET state = 'ready', lease_until = NULL");
      lost.await();
      open.countDown();

      statements.awaitAllDone();
    }

    assertThat(fences).containsExactly(first + 1);
  }

  private void record(JobEvent event) {
    if (event instanceof JobEvent.LeaseLost) {
      lost.countDown();
    }
  }

  private Workers start(Jobs jobs, Once once) {
    return Workers.over(jobs)
        .pollInterval(Duration.ofMillis(50))
        .queue(Queue.named("mail").withSlots(1).withLease(Duration.ofSeconds(1)))
        .handle("mail", "welcome", Handler.leased(once, run -> fences.add(run.fence())))
        .start();
  }

  /** A store that answers claims only when the gate is open. */
  private RecordStore slow(RecordStore store) {
    return (RecordStore)
        Proxy.newProxyInstance(
            RecordStore.class.getClassLoader(),
            new Class<?>[] {RecordStore.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("claim")) {
                reached.countDown();
                open.await();
              }
              try {
                return method.invoke(store, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
