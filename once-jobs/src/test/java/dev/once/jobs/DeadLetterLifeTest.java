package dev.once.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A dead letter, from its handler's failure to its retry. */
@SuppressWarnings("try") // Workers work until they are closed.
class DeadLetterLifeTest {
  @RegisterExtension static final JobDatabase DATABASE = new JobDatabase("dead_life");

  @Test
  void diesWithItsReasonAndRunsAgainWhenRetried() throws Exception {
    AtomicBoolean broken = new AtomicBoolean(true);
    RecordedJobEvents events = new RecordedJobEvents();
    try (Jobs jobs = Jobs.builder(DATABASE.dataSource()).listener(events).build();
        Workers workers =
            Workers.over(jobs)
                .pollInterval(Duration.ofHours(1)) // Notified, not polled.
                .handle("mail", "send", Handler.transactional((run, it) -> fail(broken.get())))
                .start()) {
      Job job = DeadLetterFixture.job("acme", "mail", "order-1");
      jobs.enqueue(job);
      JobEvent.Started first = events.await(JobEvent.Started.class, 1).get(0);
      JobEvent.Died died = events.await(JobEvent.Died.class, 1).get(0);

      DeadLetter letter = jobs.deadLetters().find("acme", died.id()).orElseThrow();
      assertThat(letter.reason()).contains("no such address");
      assertThat(letter.stack().orElseThrow()).contains("DeadLetterLifeTest.fail");
      assertThat(letter.attempt()).isEqualTo(1);

      broken.set(false);
      jobs.deadLetters().retry("acme", List.of(died.id()), "ann");
      JobEvent.Completed completed = events.await(JobEvent.Completed.class, 1).get(0);

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
}
