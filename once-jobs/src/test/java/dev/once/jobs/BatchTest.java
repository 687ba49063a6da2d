package dev.once.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class BatchTest {
  @RegisterExtension static final JobDatabase DATABASE = new JobDatabase("batch");
  private static final Queue MAIL = Queue.named("mail");
  private static final JobBatch BATCH = JobBatch.of(TestJobs.job("join"));

  private final Jobs jobs = DATABASE.jobs();
  private final JobBatches batches = jobs.batches();
  private final JobStatements statements = new JobStatements(DATABASE);

  @Test
  void theJoinBecomesReadyWhenTheLastMemberIsDone() {
    long batch = batches.enqueue(BATCH.withJobs(TestJobs.jobs(3))).batch();
    List<ClaimedJob> members = statements.claim(MAIL, 10);
    assertThat(JobStatements.resources(members)).containsExactly("0", "1", "2");

    statements.finishAll(members.subList(0, 2));
    close(batch);
    assertThat(statements.states()).containsExactly("welcome:2 running", "welcome:join blocked");

    statements.finish(members.get(2));
    close(batch);
    assertThat(statements.states()).containsExactly("welcome:join ready");
  }

  @Test
  void theJoinIsNotTakenForTheFirstOfAnAggregate() {
    batches.enqueue(BATCH.withJobs(TestJobs.jobs(1)));

    assertThat(statements.unblock()).isEmpty();
    assertThat(statements.states()).containsExactly("welcome:0 ready", "welcome:join blocked");
  }

  @Test
  void membersKnowTheirBatchAndOtherJobsHaveNone() {
    long batch = batches.enqueue(BATCH.withJobs(TestJobs.jobs(1))).batch();
    jobs.enqueue(TestJobs.job("alone"));

    List<ClaimedJob> claimed = statements.claim(MAIL, 10);

    assertThat(claimed.get(0).batch()).hasValue(batch);
    assertThat(claimed.get(1).batch()).isEmpty();
  }

  @Test
  void aBatchOfATransactionThatIsRolledBackNeverExisted() throws SQLException {
    try (Connection connection = DATABASE.begin(Connection.TRANSACTION_READ_COMMITTED)) {
      long batch = batches.enqueue(connection, BATCH.withJobs(TestJobs.jobs(3))).batch();
      connection.rollback();

      assertThat(batches.progress("acme", batch)).isEmpty();
    }
    assertThat(statements.states()).isEmpty();
  }

  @Test
  void aBatchWithoutMembersRunsItsJoinImmediately() {
    batches.enqueue(BATCH);

    assertThat(statements.states()).containsExactly("welcome:join ready");
  }

  @Test
  void aBatchOfJobsThatAreDoneRunsItsJoinImmediately() {
    jobs.enqueueAll(TestJobs.jobs(2));
    statements.finishAll(statements.claim(MAIL, 2));

    batches.enqueue(BATCH.withJobs(TestJobs.jobs(2)));

    assertThat(statements.states()).containsExactly("welcome:join ready");
  }

  @Test
  void aJoinThatIsNotDueWaitsForItsTime() {
    JobBatch later = JobBatch.of(TestJobs.job("join").withDelay(Duration.ofHours(1)));
    long batch = batches.enqueue(later.withJobs(TestJobs.jobs(1))).batch();

    statements.finish(statements.claimOne("mail"));
    close(batch);

    assertThat(statements.states()).containsExactly("welcome:join waiting");
  }

  @Test
  void aDeadLetterKeepsTheJoinWaitingUntilItIsRetriedAndDone() {
    long batch = batches.enqueue(BATCH.withJobs(TestJobs.jobs(1))).batch();
    ClaimedJob member = statements.claimOne("mail");

    statements.deadLetter(member);
    close(batch);
    assertThat(statements.states()).containsExactly("welcome:0 dead", "welcome:join blocked");

    jobs.deadLetters().retry("acme", List.of(member.id()), "alice");
    close(batch);
    statements.finish(statements.claimOne("mail"));
    close(batch);
    assertThat(statements.states()).containsExactly("welcome:join ready");
  }

  @Test
  void aDeadLetterThatIsDiscardedIsFinished() {
    batches.enqueue(BATCH.withJobs(TestJobs.jobs(1)));
    ClaimedJob member = statements.claimOne("mail");
    statements.deadLetter(member);

    jobs.deadLetters().discard("acme", List.of(member.id()), "alice");

    assertThat(statements.states()).containsExactly("welcome:join ready");
  }

  @Test
  void aMemberThatIsCancelledIsFinished() {
    BatchResult result = batches.enqueue(BATCH.withJobs(TestJobs.jobs(1)));

    jobs.admin().cancel("acme", List.of(result.jobs().get(0).id()), "alice");

    assertThat(statements.states()).containsExactly("welcome:join ready");
  }

  @Test
  void theMembersOfACancelledJoinRun() {
    long batch = batches.enqueue(BATCH.withJobs(TestJobs.jobs(1))).batch();

    jobs.admin().cancel("acme", List.of(batch), "alice");
    statements.finish(statements.claimOne("mail"));
    close(batch);

    assertThat(statements.states()).isEmpty();
    assertThat(batches.progress("acme", batch)).hasValueSatisfying(it -> it.isClosed());
  }

  @Test
  void aBatchThatIsClosedAfterDeathsDoesNotWaitForDeadLetters() {
    JobBatch tolerant = BATCH.withJobs(TestJobs.jobs(2)).closedAfterDeaths();
    long batch = batches.enqueue(tolerant).batch();
    List<ClaimedJob> members = statements.claim(MAIL, 2);

    statements.deadLetter(members.get(0));
    close(batch);
    assertThat(statements.states()).contains("welcome:join blocked");

    statements.finish(members.get(1));
    close(batch);
    assertThat(statements.states()).containsExactly("welcome:0 dead", "welcome:join ready");
  }

  @Test
  void aBatchThatIsEnqueuedAgainIsTheSame() {
    BatchResult first = batches.enqueue(BATCH.withJobs(TestJobs.jobs(3)));
    BatchResult second = batches.enqueue(BATCH.withJobs(TestJobs.jobs(3)));
    assertThat(second.batch()).isEqualTo(first.batch());
    assertThat(second.join().created()).isFalse();
    assertThat(progress(first.batch()).members()).isEqualTo(3);

    statements.finishAll(statements.claim(MAIL, 10));
    close(first.batch());
    BatchResult third = batches.enqueue(BATCH.withJobs(TestJobs.jobs(3)));
    assertThat(third.batch()).isEqualTo(first.batch());
    assertThat(statements.states()).containsExactly("welcome:join ready");
  }

  @Test
  void aClosedBatchTakesNoNewMembers() {
    long batch = batches.enqueue(BATCH.withJobs(TestJobs.jobs(1))).batch();
    statements.finish(statements.claimOne("mail"));
    close(batch);

    assertThatThrownBy(() -> batches.enqueue(BATCH.withJobs(TestJobs.jobs(2))))
        .isInstanceOf(JobBatchException.class)
        .hasMessageContaining("closed");
    assertThatThrownBy(() -> batches.add(batch, List.of(TestJobs.job("late"))))
        .isInstanceOf(JobBatchException.class);
    assertThat(statements.states()).containsExactly("welcome:join ready");
  }

  @Test
  void aFullBatchTakesNoNewMembers() {
    long batch = batches.enqueue(BATCH.withJobs(TestJobs.jobs(1))).batch();
    DATABASE.execute("UPDATE once_job_batch_count SET members = " + JobBatch.MAX_MEMBERS);

    assertThatThrownBy(() -> batches.add(batch, List.of(TestJobs.job("one too many"))))
        .isInstanceOf(JobBatchException.class)
        .hasMessageContaining("at most 100000");
  }

  @Test
  void aJobThatExistsBecomesAMemberEvenIfItIsRunning() {
    jobs.enqueueAll(TestJobs.jobs(2));
    ClaimedJob running = statements.claimOne("mail");

    long batch = batches.enqueue(BATCH.withJobs(TestJobs.jobs(3))).batch();

    assertThat(progress(batch).members()).isEqualTo(3);
    statements.finishAll(statements.claim(MAIL, 10));
    close(batch);
    assertThat(statements.states()).contains("welcome:join blocked");
    statements.finish(running);
    close(batch);
    assertThat(statements.states()).containsExactly("welcome:join ready");
  }

  @Test
  void aMemberOfABatchCannotBeAMemberOfAnother() {
    batches.enqueue(BATCH.withJobs(TestJobs.jobs(1)));
    JobBatch other = JobBatch.of(TestJobs.job("other")).withJobs(TestJobs.jobs(2));

    assertThatThrownBy(() -> batches.enqueue(other))
        .isInstanceOf(JobBatchException.class)
        .hasMessageContaining("members of another batch");
    assertThat(statements.states()).containsExactly("welcome:0 ready", "welcome:join blocked");
  }

  @Test
  void anotherTenantSeesNothingOfABatchAndAddsNothing() {
    long batch = batches.enqueue(BATCH.withJobs(TestJobs.jobs(1))).batch();

    assertThat(batches.progress("globex", batch)).isEmpty();
    assertThatThrownBy(() -> batches.add(batch, TestJobs.jobs("globex", 1)))
        .isInstanceOf(JobBatchException.class);
    assertThatThrownBy(() -> BATCH.withJobs(TestJobs.jobs("globex", 1)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void refusesAJoinThatCouldNeverRun() {
    assertThatThrownBy(() -> JobBatch.of(TestJobs.job("join").withAggregate("a")))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> BATCH.withJobs(List.of(TestJobs.job("join"))))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void countsMembersThatAreFinishedAndDead() {
    long batch = batches.enqueue(BATCH.withJobs(TestJobs.jobs(4))).batch();
    batches.add(batch, List.of(TestJobs.job("more")));
    List<ClaimedJob> claimed = statements.claim(MAIL, 3);
    statements.finishAll(claimed.subList(0, 2));
    statements.deadLetter(claimed.get(2));

    assertThat(progress(batch)).isEqualTo(new BatchProgress(batch, 5, 2, 1, false));
  }

  @Test
  void theCountStaysUntilTheRetentionHasPassed() {
    long batch = batches.enqueue(BATCH.withJobs(TestJobs.jobs(2))).batch();
    statements.finishAll(statements.claim(MAIL, 2));
    close(batch);
    statements.purgeOld(JobStatements.RETENTIONS);
    assertThat(progress(batch)).isEqualTo(new BatchProgress(batch, 2, 2, 0, true));
    assertThat(DATABASE.query("SELECT 1 FROM once_job_batch_count")).isEmpty();

    DATABASE.execute("UPDATE once_job_batch SET closed_at = closed_at - interval '25 hours'");
    statements.purgeOld(JobStatements.RETENTIONS);

    assertThat(batches.progress("acme", batch)).isEmpty();
  }

  private BatchProgress progress(long batch) {
    return batches.progress("acme", batch).orElseThrow();
  }

  private void close(long batch) {
    jobs.batchCloser().close(Set.of(batch));
  }
}
