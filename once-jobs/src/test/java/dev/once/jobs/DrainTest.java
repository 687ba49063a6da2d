package dev.once.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.testkit.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Workers close in an orderly way: no job is lost or left behind. */
class DrainTest {
  private static final JobDatabase DATABASE = new JobDatabase("drain");
  private static final Duration NO_TIME = Duration.ofMillis(50);

  private final Jobs jobs = Jobs.over(DATABASE.dataSource());
  private final JobStatements desk = new JobStatements(DATABASE);
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch open = new CountDownLatch(1);

  @BeforeAll
  static void table() {
    DATABASE.execute("CREATE TABLE effect (key text)");
  }

  @AfterAll
  static void close() {
    DATABASE.close();
  }

  @BeforeEach
  void empty() {
    desk.empty();
    DATABASE.execute("TRUNCATE effect");
  }

  @Test
  void nothingIsLostOrDoneTwiceWhenWorkersAreClosedUnderLoad() {
    enqueue(2000);

    while (!desk.states().isEmpty()) {
      int left = desk.states().size();
      try (Workers workers = start(8, 10, Duration.ofSeconds(30), DrainTest::write)) {
        assertThat(workers).isNotNull();
        Polling.until(desk::states, it -> it.size() <= Math.max(0, left - 300));
      }
      assertThat(desk.states()).allMatch(it -> it.endsWith("ready"));
    }

    assertThat(DATABASE.query("SELECT key FROM effect")).hasSize(2000).doesNotHaveDuplicates();
    assertThat(DATABASE.query("SELECT DISTINCT attempt FROM once_job_done")).containsExactly("1");
  }

  @Test
  void whatRunsMayFinish() throws Exception {
    enqueue(1);
    Workers workers = start(1, 1, Duration.ofSeconds(30), this::stopAtGate);
    begun.await();

    Thread closing = new Thread(workers::close);
    closing.start();
    open.countDown();
    closing.join();

    assertThat(desk.states()).isEmpty();
  }

  @Test
  void whatTakesTooLongIsInterruptedAndGoesBackUncharged() throws Exception {
    enqueue(1);
    Workers workers = start(1, 1, NO_TIME, this::stopAtGate);
    begun.await();

    workers.close();

    assertThat(desk.states()).containsExactly("note:0 ready");
    assertThat(DATABASE.query("SELECT attempt FROM once_job")).containsExactly("0");
  }

  @Test
  void thoseThatShareATransactionAreInterruptedTogether() throws Exception {
    enqueue(3);
    Workers workers = start(3, 3, NO_TIME, this::stopAtGate);
    begun.await();

    workers.close();

    assertThat(desk.states()).containsExactly("note:0 ready", "note:1 ready", "note:2 ready");
    assertThat(DATABASE.query("SELECT DISTINCT attempt FROM once_job")).containsExactly("0");
  }

  private void enqueue(int count) {
    jobs.enqueueAll(
        IntStream.range(0, count)
            .mapToObj(i -> Job.of(new JobKey("acme", "notes", "note", Integer.toString(i))))
            .toList());
  }

  private Workers start(int slots, int together, Duration drain, Handler.TransactionalWork work) {
    return Workers.over(jobs)
        .drain(drain)
        .queue(Queue.named("notes").withSlots(slots))
        .handle("notes", "note", Handler.transactional(work).withBatchSize(together))
        .start();
  }

  private static void write(JobRun run, Connection connection) throws SQLException {
    Sql.execute(connection, "INSERT INTO effect VALUES ('" + run.key().resource() + "')");
  }

  private void stopAtGate(JobRun run, Connection connection) throws InterruptedException {
    begun.countDown();
    open.await(60, TimeUnit.SECONDS);
  }
}
