package dev.once.jobs;

import static dev.once.jobs.DeadLetterFixture.TENANT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Retrying dead letters. */
class DeadLetterRetryTest {
  @RegisterExtension static final JobDatabase DATABASE = new JobDatabase("dead_retry");
  private static final Jobs JOBS = DATABASE.jobs();
  private static final DeadLetterFixture GRAVEYARD = new DeadLetterFixture(DATABASE, JOBS);

  @Test
  void startsTheTriesOverAndKeepsTheFence() {
    long id = GRAVEYARD.deadLetter(TENANT, "mail", "order-1");

    Set<Long> changed = JOBS.deadLetters().retry(TENANT, List.of(id), "ann");

    assertThat(changed).containsExactly(id);
    assertThat(DATABASE.query("SELECT (state, attempt, fence, died_at)::text FROM once_job"))
        .containsExactly("(ready,0,7,)");
  }

  @Test
  void countsItsAgeFromTheRetry() {
    long id = GRAVEYARD.deadLetter(TENANT, "mail", "order-1");
    DATABASE.execute("UPDATE once_job SET run_at = run_at - interval '3 days'");

    JOBS.deadLetters().retry(TENANT, List.of(id), "ann");

    assertThat(JOBS.census().queue("mail").oldestReady().orElseThrow()).hasSeconds(0);
  }

  @Test
  void changesOnlyWhatIsDeadAndTheTenantsOwn() {
    long mine = GRAVEYARD.deadLetter(TENANT, "mail", "order-1");
    long others = GRAVEYARD.deadLetter("other", "mail", "order-1");
    long alive = JOBS.enqueue(DeadLetterFixture.job(TENANT, "mail", "order-2")).id();

    List<Long> letterIds = List.of(mine, others, alive, 1_000_000L);

    assertThat(JOBS.deadLetters().retry(TENANT, letterIds, "ann")).containsExactly(mine);
    assertThat(GRAVEYARD.stateOf(others)).isEqualTo("dead");
  }

  @Test
  void retriesAllOfAQueueUpToTheLimit() {
    List<Long> mail = GRAVEYARD.deadLetterMany(5, "mail");
    GRAVEYARD.deadLetterMany(2, "search");
    LetterQuery three = LetterQuery.of(TENANT).inQueue("mail").withLimit(3);

    assertThat(JOBS.deadLetters().retryAll(three, "ann"))
        .containsExactlyInAnyOrderElementsOf(mail.subList(0, 3));
    assertThat(JOBS.deadLetters().retryAll(three, "ann"))
        .containsExactlyInAnyOrderElementsOf(mail.subList(3, 5));
    assertThat(JOBS.deadLetters().retryAll(three, "ann")).isEmpty();
    assertThat(JOBS.deadLetters().list(LetterQuery.of(TENANT))).hasSize(2);
  }

  @Test
  void keepsLaterJobsOfItsAggregateBlocked() {
    long first =
        GRAVEYARD.deadLetter(DeadLetterFixture.job(TENANT, "mail", "1").withAggregate("order"));
    long second =
        JOBS.enqueue(DeadLetterFixture.job(TENANT, "mail", "2").withAggregate("order")).id();

    JOBS.deadLetters().retry(TENANT, List.of(first), "ann");

    assertThat(GRAVEYARD.stateOf(first)).isEqualTo("ready");
    assertThat(GRAVEYARD.stateOf(second)).isEqualTo("blocked");
  }

  @Test
  void leavesALetterDeadWhoseKeyAnotherJobHasFinished() {
    long id = GRAVEYARD.deadLetter(TENANT, "mail", "order-1");
    DATABASE.execute(
        """
        INSERT INTO once_job_done
        SELECT 0, tenant, queue, key, 'sha256:other', 1, 1, false, '', clock_timestamp(),
          clock_timestamp() + interval '24 hours'
        FROM once_job
        """);

    assertThat(JOBS.deadLetters().retry(TENANT, List.of(id), "ann")).isEmpty();
    assertThat(GRAVEYARD.stateOf(id)).isEqualTo("dead");

    long other = GRAVEYARD.deadLetter(TENANT, "mail", "order-2");
    LetterQuery first = LetterQuery.of(TENANT).withLimit(1);
    assertThat(JOBS.deadLetters().retryAll(first, "ann")).containsExactly(other);
  }

  @Test
  void wakesWorkersOfItsQueue() {
    long id = GRAVEYARD.deadLetter(TENANT, "mail", "order-1");
    List<String> woken = new ArrayList<>();
    JOBS.notifier().addListener(woken::add);

    JOBS.deadLetters().retry(TENANT, List.of(id), "ann");

    assertThat(woken).containsExactly("mail");
  }

  @Test
  void requiresTheOperatorsName() {
    assertThatThrownBy(() -> JOBS.deadLetters().retry(TENANT, List.of(1L), " "))
        .hasMessageStartingWith("actor must have 1 to 255 characters");
    assertThatThrownBy(() -> JOBS.deadLetters().retry(TENANT, List.of(), "ann"))
        .hasMessage("ids must be 1 to 1000, got 0");
  }
}
