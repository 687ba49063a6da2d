package dev.once.jobs;

import static dev.once.jobs.DeadLetterFixture.TENANT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Discarding dead letters. */
class DeadLetterDiscardTest {
  @RegisterExtension static final JobDatabase DATABASE = new JobDatabase("dead_discard");
  private static final Jobs JOBS = DATABASE.jobs();
  private static final DeadLetterFixture GRAVEYARD = new DeadLetterFixture(DATABASE, JOBS);

  @Test
  void letsTheSameJobJoinItLater() {
    Job job = DeadLetterFixture.job(TENANT, "mail", "order-1");
    long id = GRAVEYARD.deadLetter(job);

    assertThat(JOBS.deadLetters().discard(TENANT, List.of(id), "ann")).containsExactly(id);

    assertThat(JOBS.enqueue(job)).isEqualTo(new EnqueueResult(id, false, JobState.DONE));
    assertThatThrownBy(() -> JOBS.enqueue(job.withText("something else")))
        .isInstanceOf(JobMismatchException.class);
  }

  @Test
  void letsTheNextOfItsAggregateGo() {
    long first =
        GRAVEYARD.deadLetter(DeadLetterFixture.job(TENANT, "mail", "1").withAggregate("order"));
    long second =
        JOBS.enqueue(DeadLetterFixture.job(TENANT, "mail", "2").withAggregate("order")).id();
    long third =
        JOBS.enqueue(DeadLetterFixture.job(TENANT, "mail", "3").withAggregate("order")).id();
    List<String> woken = new ArrayList<>();
    JOBS.notifier().addListener(woken::add);

    JOBS.deadLetters().discard(TENANT, List.of(first), "ann");

    assertThat(GRAVEYARD.stateOf(second)).isEqualTo("ready");
    assertThat(GRAVEYARD.stateOf(third)).isEqualTo("blocked");
    assertThat(woken).containsExactly("mail");
  }

  @Test
  void changesOnlyWhatIsDeadAndTheTenantsOwn() {
    long mine = GRAVEYARD.deadLetter(TENANT, "mail", "order-1");
    long others = GRAVEYARD.deadLetter("other", "mail", "order-1");
    long alive = JOBS.enqueue(DeadLetterFixture.job(TENANT, "mail", "order-2")).id();

    assertThat(JOBS.deadLetters().discard(TENANT, List.of(mine, others, alive), "ann"))
        .containsExactly(mine);
    assertThat(GRAVEYARD.stateOf(others)).isEqualTo("dead");
    assertThat(GRAVEYARD.stateOf(alive)).isEqualTo("ready");
  }

  @Test
  void keepsTheKeyOfAnEarlierCompletion() {
    long id = GRAVEYARD.deadLetter(TENANT, "mail", "order-1");
    DATABASE.execute(
        """
        INSERT INTO once_job_done
        SELECT 0, tenant, queue, key, 'sha256:other', 1, 1, false, '', clock_timestamp(),
          clock_timestamp() + interval '24 hours'
        FROM once_job
        """);

    JOBS.deadLetters().discard(TENANT, List.of(id), "ann");

    assertThat(DATABASE.query("SELECT fingerprint FROM once_job_done"))
        .containsExactly("sha256:other");
  }

  @Test
  void putsItsKeyWhereThePurgeExpectsIt() {
    try (Jobs jobs = Jobs.builder(DATABASE.dataSource()).retention(Duration.ofHours(2)).build()) {
      long id = GRAVEYARD.deadLetter(TENANT, "mail", "order-1");

      jobs.deadLetters().discard(TENANT, List.of(id), "ann");
    }

    assertThat(
            DATABASE.query(
                "SELECT part = once_job_part('2 hours') AND discarded FROM once_job_done"))
        .containsExactly("t");
  }
}
