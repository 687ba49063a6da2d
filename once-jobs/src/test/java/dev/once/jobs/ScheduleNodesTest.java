package dev.once.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Schedules on several nodes. */
class ScheduleNodesTest {
  private static final int SCHEDULES = 40;
  private static final int ROUNDS = 15;

  private final JobDatabase database = new JobDatabase("nodes");

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void fireEachTimeOnceHoweverManyLook() throws Exception {
    ConcurrentLinkedQueue<JobEvent> events = new ConcurrentLinkedQueue<>();
    try (Jobs one = node(events);
        Jobs other = node(events)) {
      for (int i = 0; i < SCHEDULES; i++) {
        one.schedule(schedule("tick-" + i));
        other.schedule(schedule("tick-" + i));
      }
      ExecutorService threads = Executors.newFixedThreadPool(4);
      Callable<Duration> look = () -> one.schedules().fire(Duration.ofSeconds(1));
      Callable<Duration> otherLook = () -> other.schedules().fire(Duration.ofSeconds(1));

      for (int round = 1; round <= ROUNDS; round++) {
        // The jobs of the previous round are removed, so that none can be joined.
        database.execute("TRUNCATE once_job");
        database.execute("UPDATE once_job_schedule SET next_at = '2020-01-01Z'");
        for (Future<Duration> it :
            threads.invokeAll(
                List.of(look, otherLook, look, otherLook, look, otherLook, look, otherLook))) {
          it.get();
        }

        assertThat(database.query("SELECT count(DISTINCT key) FROM once_job"))
            .containsExactly(String.valueOf(SCHEDULES));
      }
      threads.shutdown();
    }

    assertThat(events).hasSize(SCHEDULES * ROUNDS);
    assertThat(events).hasOnlyElementsOfType(JobEvent.Added.class);
    assertThat(database.query("SELECT DISTINCT version FROM once_job_schedule"))
        .containsExactly(String.valueOf(ROUNDS));
  }

  @Test
  void runTheJobOnceAndInTimeThoughTheyRarelyLook() throws Exception {
    BlockingQueue<JobKey> ran = new LinkedBlockingQueue<>();
    try (Jobs one = Jobs.over(database.dataSource());
        Jobs other = Jobs.over(database.dataSource())) {
      one.schedule(schedule("tick"));
      database.execute(
          "UPDATE once_job_schedule SET next_at = clock_timestamp() + interval '1 second'");
      try (Workers first = workers(one, ran);
          Workers second = workers(other, ran)) {
        assertThat(List.of(first, second)).hasSize(2);
        JobKey key = ran.poll(30, TimeUnit.SECONDS);

        assertThat(key).isNotNull();
        assertThat(key.resource()).startsWith("tick@");
      }
    }
    assertThat(ran).isEmpty();
    assertThat(database.query("SELECT attempt FROM once_job_done")).containsExactly("1");
  }

  private Jobs node(ConcurrentLinkedQueue<JobEvent> events) {
    return Jobs.builder(database.dataSource()).listener(events::add).withoutNotify().build();
  }

  private static Workers workers(Jobs jobs, BlockingQueue<JobKey> ran) {
    return Workers.over(jobs)
        .pollInterval(Duration.ofHours(1))
        .handle("reports", "make", Handler.transactional((run, it) -> ran.add(run.key())))
        .start();
  }

  /** Every year, so that it is due only when the test says so. */
  private static Schedule schedule(String name) {
    return Schedule.of("acme", name, "0 0 1 1 *", ZoneOffset.UTC, "reports", "make");
  }
}
