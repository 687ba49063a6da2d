package dev.once.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Finding a job by its key. */
class FindJobTest {
  @RegisterExtension static final JobDatabase DATABASE = new JobDatabase("find");
  private static final Jobs JOBS = DATABASE.jobs();
  private static final DeadLetterFixture GRAVEYARD = new DeadLetterFixture(DATABASE, JOBS);

  @Test
  void findsAJobThatWaits() {
    Job job = DeadLetterFixture.job("acme", "mail", "waits").withDelay(Duration.ofHours(1));
    long id = JOBS.enqueue(job).id();

    JobView view = JOBS.find(job.key()).orElseThrow();

    assertThat(view.id()).isEqualTo(id);
    assertThat(view.state()).isEqualTo(JobState.WAITING);
    assertThat(view.attempt()).isZero();
    assertThat(Duration.between(view.enqueuedAt().orElseThrow(), view.runAt().orElseThrow()))
        .isEqualTo(Duration.ofHours(1));
    assertThat(view.finishedAt()).isEmpty();
  }

  @Test
  void findsADeadLetterWithItsReason() {
    Job job = DeadLetterFixture.job("acme", "mail", "dead");
    GRAVEYARD.deadLetter(job);

    JobView view = JOBS.find(job.key()).orElseThrow();

    assertThat(view.state()).isEqualTo(JobState.DEAD);
    assertThat(view.attempt()).isEqualTo(5);
    assertThat(view.reason()).contains("it failed");
  }

  @Test
  void findsADoneJobAndReportsWhetherItWasDiscarded() {
    Job job = DeadLetterFixture.job("acme", "mail", "discarded");
    long id = GRAVEYARD.deadLetter(job);
    JOBS.deadLetters().discard("acme", List.of(id), "ann");

    JobView view = JOBS.find(job.key()).orElseThrow();

    assertThat(view.id()).isEqualTo(id);
    assertThat(view.state()).isEqualTo(JobState.DONE);
    assertThat(view.discarded()).isTrue();
    assertThat(view.finishedAt()).isPresent();
    assertThat(view.runAt()).isEmpty();
  }

  @Test
  void findsNothingForAnotherTenant() {
    JOBS.enqueue(DeadLetterFixture.job("acme", "mail", "mine"));

    assertThat(JOBS.find(new JobKey("other", "mail", "send", "mine"))).isEmpty();
  }
}
