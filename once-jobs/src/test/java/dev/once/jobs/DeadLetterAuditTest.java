package dev.once.jobs;

import static dev.once.jobs.DeadLetterFixture.TENANT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.once.jobs.LetterAudit.Action;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The audit trail names the actor of every change, and every change is made once. */
class DeadLetterAuditTest {
  @RegisterExtension static final JobDatabase DATABASE = new JobDatabase("dead_audit");
  private static final Jobs JOBS = DATABASE.jobs();
  private static final DeadLetterFixture GRAVEYARD = new DeadLetterFixture(DATABASE, JOBS);

  @Test
  void writesDownEveryLetterThatWasChanged() {
    Job job = DeadLetterFixture.job(TENANT, "mail", "order:1");
    long id = GRAVEYARD.deadLetter(job);
    long other = GRAVEYARD.deadLetter(TENANT, "mail", "order-2");

    JOBS.deadLetters().retry(TENANT, List.of(id), "ann");
    JOBS.deadLetters().discard(TENANT, List.of(id, other), "bob");

    List<LetterAudit> entries = JOBS.deadLetters().audit(TENANT, 0, 10);
    assertThat(entries).extracting(LetterAudit::actor).containsExactly("ann", "bob");
    assertThat(entries)
        .extracting(LetterAudit::action)
        .containsExactly(Action.RETRY, Action.DISCARD);
    assertThat(entries).extracting(LetterAudit::job).containsExactly(id, other);
    LetterAudit first = entries.get(0);
    assertThat(first.key()).isEqualTo(job.key());
    assertThat(first.fingerprint()).isEqualTo(job.fingerprint());
    assertThat(first.attempt()).isEqualTo(5);
    assertThat(first.correlation().first("X-Request-ID")).contains("r-order:1");
  }

  @Test
  void isReadPageByPageAndByTenant() {
    List<Long> ids = GRAVEYARD.deadLetterMany(5, "mail");
    JOBS.deadLetters().retry("other", List.of(GRAVEYARD.deadLetter("other", "mail", "1")), "eve");
    JOBS.deadLetters().retryAll(LetterQuery.of(TENANT), "ann");

    List<LetterAudit> page = JOBS.deadLetters().audit(TENANT, 0, 3);
    List<LetterAudit> rest = JOBS.deadLetters().audit(TENANT, page.get(2).id(), 3);

    Set<Long> seen = new HashSet<>();
    page.forEach(entry -> seen.add(entry.job()));
    rest.forEach(entry -> seen.add(entry.job()));
    assertThat(page).hasSize(3);
    assertThat(seen).containsExactlyInAnyOrderElementsOf(ids);
  }

  @Test
  void hasOneEntryPerLetterWhenOperatorsDoTheSameAtOnce() throws Exception {
    List<Long> ids = GRAVEYARD.deadLetterMany(200, "mail");
    List<Callable<Set<Long>>> operators = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      operators.add(() -> JOBS.deadLetters().retry(TENANT, ids, "ann"));
      operators.add(() -> JOBS.deadLetters().discard(TENANT, ids, "bob"));
      operators.add(() -> JOBS.deadLetters().retryAll(LetterQuery.of(TENANT), "cid"));
    }
    List<Long> changed = new ArrayList<>();

    ExecutorService threads = Executors.newFixedThreadPool(operators.size());
    for (Future<Set<Long>> done : threads.invokeAll(operators)) {
      changed.addAll(done.get());
    }
    threads.shutdown();

    assertThat(changed).containsExactlyInAnyOrderElementsOf(ids);
    assertThat(DATABASE.query("SELECT job FROM once_job_audit"))
        .containsExactlyInAnyOrderElementsOf(ids.stream().map(String::valueOf).toList());
    assertThat(DATABASE.query("SELECT count(*) FROM once_job_done").get(0))
        .isEqualTo(
            DATABASE.query("SELECT count(*) FROM once_job_audit WHERE action = 'discard'").get(0));
  }
}
