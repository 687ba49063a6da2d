package dev.once.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.once.testkit.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class EnqueueTest {
  @RegisterExtension static final JobDatabase DATABASE = new JobDatabase("enqueue");
  private static final JobKey KEY = new JobKey("acme", "mail", "welcome", "user-42");

  private final Jobs jobs = DATABASE.jobs();
  private final JobStatements statements = new JobStatements(DATABASE);

  @Test
  void aJobOfACommittedTransactionIsThere() throws SQLException {
    try (Connection connection = DATABASE.begin(Connection.TRANSACTION_READ_COMMITTED)) {
      EnqueueResult result = jobs.enqueue(connection, Job.of(KEY));
      connection.commit();

      assertThat(result.created()).isTrue();
      assertThat(result.state()).isEqualTo(JobState.READY);
      assertThat(statements.states()).containsExactly("welcome:user-42 ready");
    }
  }

  @Test
  void aJobOfATransactionThatIsRolledBackIsNot() throws SQLException {
    try (Connection connection = DATABASE.begin(Connection.TRANSACTION_READ_COMMITTED)) {
      jobs.enqueue(connection, Job.of(KEY));
      connection.rollback();

      assertThat(statements.states()).isEmpty();
    }
  }

  @Test
  void theSameKeyAndPayloadJoinsTheJobThatIsThere() {
    EnqueueResult first = jobs.enqueue(Job.of(KEY).withText("hello"));
    EnqueueResult second = jobs.enqueue(Job.of(KEY).withText("hello"));

    assertThat(second).isEqualTo(new EnqueueResult(first.id(), false, JobState.READY));
    assertThat(statements.states()).hasSize(1);
  }

  @Test
  void theSameKeyAndAnotherPayloadIsRefused() {
    EnqueueResult first = jobs.enqueue(Job.of(KEY).withText("hello"));

    assertThatThrownBy(() -> jobs.enqueue(Job.of(KEY).withText("goodbye")))
        .isInstanceOfSatisfying(
            JobMismatchException.class, e -> assertThat(e.id()).isEqualTo(first.id()))
        .hasMessageContaining("job:acme:mail:welcome:#")
        .hasMessageNotContaining("user-42");
  }

  @Test
  void aRefusalLeavesTheCallersTransactionUsable() throws SQLException {
    jobs.enqueue(Job.of(KEY).withText("hello"));
    try (Connection connection = DATABASE.begin(Connection.TRANSACTION_READ_COMMITTED)) {
      assertThatThrownBy(() -> jobs.enqueue(connection, Job.of(KEY).withText("goodbye")))
          .isInstanceOf(JobMismatchException.class);

      jobs.enqueue(connection, Job.of(new JobKey("acme", "mail", "welcome", "user-43")));
      connection.commit();
    }
    assertThat(statements.states()).hasSize(2);
  }

  @Test
  void aKeyIsTheTenantsOwn() {
    jobs.enqueue(Job.of(KEY).withText("hello"));

    JobKey other = new JobKey("globex", "mail", "welcome", "user-42");
    assertThat(jobs.enqueue(Job.of(other).withText("goodbye")).created()).isTrue();
  }

  @Test
  void aFinishedJobIsJoinedAndNotRunAgain() {
    EnqueueResult first = jobs.enqueue(Job.of(KEY).withText("hello"));
    statements.finish(statements.claimOne("mail"));

    EnqueueResult second = jobs.enqueue(Job.of(KEY).withText("hello"));

    assertThat(second).isEqualTo(new EnqueueResult(first.id(), false, JobState.DONE));
    assertThat(statements.states()).isEmpty();
  }

  @Test
  void theKeyOfAFinishedJobIsRefusedForAnotherPayload() {
    jobs.enqueue(Job.of(KEY).withText("hello"));
    statements.finish(statements.claimOne("mail"));

    assertThatThrownBy(() -> jobs.enqueue(Job.of(KEY).withText("goodbye")))
        .isInstanceOf(JobMismatchException.class);
    assertThat(statements.states()).isEmpty();
  }

  @Test
  void aDuplicateWaitsForTheTransactionThatHasTheKey() throws Exception {
    try (Connection connection = DATABASE.begin(Connection.TRANSACTION_READ_COMMITTED)) {
      jobs.enqueue(connection, Job.of(KEY).withText("hello"));

      CompletableFuture<EnqueueResult> second =
          CompletableFuture.supplyAsync(() -> jobs.enqueue(Job.of(KEY).withText("hello")));
      statements.awaitBlockedBackend();
      connection.commit();

      assertThat(second.get(10, TimeUnit.SECONDS).created()).isFalse();
    }
  }

  @Test
  void aDuplicateTakesTheKeyOfATransactionThatIsRolledBack() throws Exception {
    try (Connection connection = DATABASE.begin(Connection.TRANSACTION_READ_COMMITTED)) {
      jobs.enqueue(connection, Job.of(KEY).withText("hello"));

      CompletableFuture<EnqueueResult> second =
          CompletableFuture.supplyAsync(() -> jobs.enqueue(Job.of(KEY).withText("goodbye")));
      statements.awaitBlockedBackend();
      connection.rollback();

      assertThat(second.get(10, TimeUnit.SECONDS).created()).isTrue();
    }
  }

  @Test
  void aJobThatFinishesWhileItsDuplicateIsEnqueuedIsNotRunAgain() throws Exception {
    jobs.enqueue(Job.of(KEY).withText("hello"));
    ClaimedJob claimed = statements.claimOne("mail");
    try (Connection finishing = DATABASE.begin(Connection.TRANSACTION_READ_COMMITTED)) {
      CompleteStatement.execute(finishing, List.of(claimed), JobStatements.RETENTION);

      CompletableFuture<EnqueueResult> second =
          CompletableFuture.supplyAsync(() -> jobs.enqueue(Job.of(KEY).withText("hello")));
      statements.awaitBlockedBackend();
      finishing.commit();

      assertThat(second.get(10, TimeUnit.SECONDS).state()).isEqualTo(JobState.DONE);
      assertThat(statements.states()).isEmpty();
    }
  }

  @Test
  void aTransactionThatCannotSeeThatTheJobIsFinishedDoesNotRunItAgain() throws SQLException {
    jobs.enqueue(Job.of(KEY).withText("hello"));
    ClaimedJob claimed = statements.claimOne("mail");
    try (Connection late = DATABASE.begin(Connection.TRANSACTION_REPEATABLE_READ)) {
      Sql.execute(late, "SELECT 1"); // Takes the snapshot.
      statements.finish(claimed);
      assertThat(jobs.enqueue(late, Job.of(KEY).withText("hello")).state())
          .isEqualTo(JobState.WAITING);
      late.commit();
    }

    statements.makeReady();

    assertThat(statements.states()).isEmpty();
  }

  @Test
  void aTransactionThatCannotSeeThatTheKeyIsTakenHasItsJobPutAside() throws SQLException {
    jobs.enqueue(Job.of(KEY).withText("hello"));
    ClaimedJob claimed = statements.claimOne("mail");
    try (Connection late = DATABASE.begin(Connection.TRANSACTION_SERIALIZABLE)) {
      Sql.execute(late, "SELECT 1");
      statements.finish(claimed);
      jobs.enqueue(late, Job.of(KEY).withText("goodbye"));
      late.commit();
    }

    statements.makeReady();

    assertThat(statements.states()).containsExactly("welcome:user-42 dead");
    assertThat(DATABASE.query("SELECT reason FROM once_job"))
        .containsExactly("its key was used before, with another payload");
  }

  @Test
  void aJobOfAStricterTransactionRunsAfterItWasLookedAt() throws SQLException {
    try (Connection connection = DATABASE.begin(Connection.TRANSACTION_SERIALIZABLE)) {
      jobs.enqueue(connection, Job.of(KEY));
      connection.commit();
    }

    statements.makeReady();

    assertThat(statements.states()).containsExactly("welcome:user-42 ready");
  }

  @Test
  void manyJobsAreEnqueuedTogetherAndAnsweredInTheirOrder() {
    List<Job> many =
        List.of(Job.of(keyOf("c")), Job.of(keyOf("a")), Job.of(keyOf("b")), Job.of(keyOf("a")));

    List<EnqueueResult> result = jobs.enqueueAll(many);

    assertThat(result).extracting(EnqueueResult::created).containsExactly(true, true, true, false);
    assertThat(result.get(3).id()).isEqualTo(result.get(1).id());
    assertThat(statements.states())
        .containsExactly("welcome:a ready", "welcome:b ready", "welcome:c ready");
  }

  @Test
  void oneRefusalInManyEnqueuesNothing() {
    jobs.enqueue(Job.of(keyOf("b")).withText("hello"));

    assertThatThrownBy(
            () -> jobs.enqueueAll(List.of(Job.of(keyOf("a")), Job.of(keyOf("b")).withText("no"))))
        .isInstanceOf(JobMismatchException.class);
    assertThat(statements.states()).containsExactly("welcome:b ready");
  }

  @Test
  void aDelayedJobWaits() {
    jobs.enqueue(Job.of(KEY).withDelay(Duration.ofMinutes(5)));

    statements.makeReady();
    assertThat(statements.states()).containsExactly("welcome:user-42 waiting");

    DATABASE.elapse(Duration.ofMinutes(5));
    statements.makeReady();
    assertThat(statements.states()).containsExactly("welcome:user-42 ready");
  }

  @Test
  void aJobForAMomentThatHasPassedIsReadyAtOnce() {
    jobs.enqueue(Job.of(KEY).withRunAt(Instant.EPOCH));

    assertThat(statements.states()).containsExactly("welcome:user-42 ready");
  }

  @Test
  void refusesMomentsAndAggregatesThatNoDatabaseKeeps() {
    assertThatThrownBy(() -> Job.of(KEY).withRunAt(Instant.MAX))
        .hasMessageStartingWith("time to run must be 1970-01-01T00:00:00Z to 9999-12-31");
    assertThatThrownBy(() -> Job.of(KEY).withAggregate("a\0b"))
        .hasMessage("aggregate must not contain U+0000, found at 1");
  }

  private static JobKey keyOf(String resource) {
    return new JobKey("acme", "mail", "welcome", resource);
  }
}
