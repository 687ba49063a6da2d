package dev.once.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Workers close in an orderly way: no job is lost or left behind. */
@SuppressWarnings("try") // Workers work until they are closed.
class DrainTest {
  @RegisterExtension static final JobDatabase DATABASE = new JobDatabase("drain");
  private static final Duration NO_TIME = Duration.ofMillis(50);

  private final Jobs jobs = DATABASE.jobs();
  private final JobStatements statements = new JobStatements(DATABASE);
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch open = new CountDownLatch(1);

  @Test
  void nothingIsLostOrDoneTwiceWhenWorkersAreClosedUnderLoad() {
    jobs.enqueueAll(TestJobs.jobs(2000));

    while (!statements.states().isEmpty()) {
      int left = statements.states().size();
      try (Workers workers = start(8, 10, Duration.ofSeconds(30), JobDatabase::handle)) {
        Polling.until(statements::states, it -> it.size() <= Math.max(0, left - 300));
      }
      assertThat(statements.states()).allMatch(it -> it.endsWith("ready"));
    }

    assertThat(DATABASE.handled()).hasSize(2000).doesNotHaveDuplicates();
    assertThat(DATABASE.query("SELECT DISTINCT attempt FROM once_job_done")).containsExactly("1");
  }

  @Test
  void whatRunsMayFinish() throws Exception {
    jobs.enqueueAll(TestJobs.jobs(1));
    Workers workers = start(1, 1, Duration.ofSeconds(30), this::stopAtGate);
    begun.await();

    Thread closing = new Thread(workers::close);
    closing.start();
    open.countDown();
    closing.join();

    assertThat(statements.states()).isEmpty();
  }

  @Test
  void whatTakesTooLongIsInterruptedAndGoesBackUncharged() throws Exception {
    jobs.enqueueAll(TestJobs.jobs(1));
    Workers workers = start(1, 1, NO_TIME, this::stopAtGate);
    begun.await();

    workers.close();

    assertThat(statements.states()).containsExactly("welcome:0 ready");
    assertThat(DATABASE.query("SELECT attempt FROM once_job")).containsExactly("0");
  }

  @Test
  void thoseThatShareATransactionAreInterruptedTogether() throws Exception {
    jobs.enqueueAll(TestJobs.jobs(3));
    Workers workers = start(3, 3, NO_TIME, this::stopAtGate);
    begun.await();

    workers.close();

    assertThat(statements.states())
        .containsExactly("welcome:0 ready", "welcome:1 ready", "welcome:2 ready");
    assertThat(DATABASE.query("SELECT DISTINCT attempt FROM once_job")).containsExactly("0");
  }

  private Workers start(int slots, int together, Duration drain, Handler.TransactionalWork work) {
    return Workers.over(jobs)
        .drain(drain)
        .queue(Queue.named("mail").withSlots(slots))
        .handle("mail", "welcome", Handler.transactional(work).withBatchSize(together))
        .start();
  }

  private void stopAtGate(JobRun run, Connection connection) throws InterruptedException {
    begun.countDown();
    open.await(60, TimeUnit.SECONDS);
  }
}
