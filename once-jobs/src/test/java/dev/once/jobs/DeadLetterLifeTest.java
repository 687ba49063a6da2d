package dev.once.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** A dead letter, from its handler's failure to its retry. */
class DeadLetterLifeTest {
  private static final JobDatabase DATABASE = new JobDatabase("dead_life");

  @AfterAll
  static void close() {
    DATABASE.close();
  }

  @Test
  void diesWithItsReasonAndRunsAgainWhenRetried() throws Exception {
    AtomicBoolean broken = new AtomicBoolean(true);
    BlockingQueue<JobEvent> events = new LinkedBlockingQueue<>();
    try (Jobs jobs = Jobs.builder(DATABASE.dataSource()).listener(events::add).build();
        Workers workers =
            Workers.over(jobs)
                .pollInterval(Duration.ofHours(1)) // Notified, not polled.
                .handle("mail", "send", Handler.transactional((run, it) -> fail(broken.get())))
                .start()) {
      assertThat(workers).isNotNull();
      Job job = DeadLetterFixture.job("acme", "mail", "order-1");
      jobs.enqueue(job);
      JobEvent.Started first = await(events, JobEvent.Started.class);
      JobEvent.Died died = await(events, JobEvent.Died.class);

      DeadLetter letter = jobs.deadLetters().find("acme", died.id()).orElseThrow();
      assertThat(letter.reason()).contains("no such address");
      assertThat(letter.stack().orElseThrow()).contains("DeadLetterLifeTest.fail");
      assertThat(letter.attempt()).isEqualTo(1);

      broken.set(false);
      jobs.deadLetters().retry("acme", List.of(died.id()), "ann");
      JobEvent.Completed completed = await(events, JobEvent.Completed.class);

      assertThat(completed.attempt()).isEqualTo(1);
      assertThat(completed.fence()).isGreaterThan(first.fence());
      assertThat(jobs.find(job.key()).orElseThrow().state()).isEqualTo(JobState.DONE);
    }
  }

  private static void fail(boolean broken) {
    if (broken) {
      throw new JobException.GiveUp("no such address");
    }
  }

  private static <E extends JobEvent> E await(BlockingQueue<JobEvent> events, Class<E> kind)
      throws InterruptedException {
    while (true) {
      JobEvent event = events.poll(20, TimeUnit.SECONDS);
      assertThat(event).as("an event within 20 s").isNotNull();
      if (kind.isInstance(event)) {
        return kind.cast(event);
      }
    }
  }
}
