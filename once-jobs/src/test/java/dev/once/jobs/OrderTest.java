package dev.once.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.testkit.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class OrderTest {
  @RegisterExtension static final JobDatabase DATABASE = new JobDatabase("order");
  private static final Queue MAIL = Queue.named("mail");

  private final Jobs jobs = DATABASE.jobs();
  private final JobStatements statements = new JobStatements(DATABASE);

  @Test
  void jobsOfAnAggregateRunOneAfterTheOther() {
    jobs.enqueueAll(List.of(jobOf("a", "1"), jobOf("a", "2"), jobOf("a", "3"), jobOf("b", "1")));

    List<ClaimedJob> first = statements.claim(MAIL, 10);
    assertThat(JobStatements.resources(first)).containsExactly("a1", "b1");

    statements.finishAll(first);
    assertThat(JobStatements.resources(statements.claim(MAIL, 10))).containsExactly("a2");
  }

  @Test
  void jobsOfAnAggregateThatComeTogetherRunInTheOrderOfTheList() {
    jobs.enqueueAll(List.of(jobOf("a", "9"), jobOf("b", "1"), jobOf("a", "10")));

    List<ClaimedJob> first = statements.claim(MAIL, 10);

    assertThat(JobStatements.resources(first)).containsExactlyInAnyOrder("a9", "b1");
  }

  @Test
  void oneThatFailsHoldsUpItsOwnAggregateOnly() {
    jobs.enqueueAll(List.of(jobOf("a", "1"), jobOf("a", "2"), jobOf("b", "1"), jobOf("b", "2")));
    List<ClaimedJob> first = statements.claim(MAIL, 10);

    statements.reschedule(first.get(0), Duration.ofMinutes(1), RunKind.COUNTED);
    statements.finish(first.get(1));

    assertThat(JobStatements.resources(statements.claim(MAIL, 10))).containsExactly("b2");
    assertThat(statements.unblock()).isEmpty();
  }

  @Test
  void aDeadLetterBlocksItsAggregateUntilAnOperatorDecides() {
    jobs.enqueueAll(List.of(jobOf("a", "1"), jobOf("a", "2")));

    statements.deadLetter(statements.claimOne("mail"));
    jobs.enqueue(jobOf("a", "3"));

    assertThat(statements.unblock()).isEmpty();
    assertThat(statements.states())
        .containsExactly("welcome:a1 dead", "welcome:a2 blocked", "welcome:a3 blocked");
  }

  @Test
  void aFollowerThatIsNotDueWaitsForItsTime() {
    jobs.enqueueAll(List.of(jobOf("a", "1"), jobOf("a", "2").withDelay(Duration.ofMinutes(5))));

    statements.finish(statements.claimOne("mail"));

    assertThat(statements.states()).containsExactly("welcome:a2 waiting");
  }

  @Test
  void aSecondEnqueueWaitsForTheFirstToCommit() throws Exception {
    try (Connection first = DATABASE.begin(Connection.TRANSACTION_READ_COMMITTED)) {
      jobs.enqueue(first, jobOf("a", "1"));

      CompletableFuture<EnqueueResult> second =
          CompletableFuture.supplyAsync(() -> jobs.enqueue(jobOf("a", "2")));
      statements.awaitBlockedBackend();
      first.commit();

      assertThat(second.get(10, TimeUnit.SECONDS).state()).isEqualTo(JobState.BLOCKED);
    }
  }

  @Test
  void aJobWhosePredecessorFinishedWhileItWasEnqueuedGoesOn() throws SQLException {
    jobs.enqueue(jobOf("a", "1"));
    try (Connection late = DATABASE.begin(Connection.TRANSACTION_READ_COMMITTED)) {
      assertThat(jobs.enqueue(late, jobOf("a", "2")).state()).isEqualTo(JobState.BLOCKED);
      statements.finish(statements.claimOne("mail"));
      late.commit();
    }

    assertThat(statements.unblock()).containsExactly("mail");
    assertThat(statements.states()).containsExactly("welcome:a2 ready");
  }

  @Test
  void aTransactionThatCannotSeeThePredecessorDoesNotOvertakeIt() throws SQLException {
    try (Connection blind = DATABASE.begin(Connection.TRANSACTION_REPEATABLE_READ)) {
      Sql.execute(blind, "SELECT 1"); // Takes the snapshot.
      jobs.enqueue(jobOf("a", "1"));
      jobs.enqueue(blind, jobOf("a", "2"));
      blind.commit();
    }

    assertThat(statements.unblock()).isEmpty();
    assertThat(statements.states()).containsExactly("welcome:a1 ready", "welcome:a2 blocked");
  }

  @Test
  void aggregatesOfTwoTenantsAndQueuesAreTwo() {
    jobs.enqueue(jobOf("a", "1"));
    jobs.enqueue(Job.of(new JobKey("globex", "mail", "welcome", "a1")).withAggregate("a"));
    jobs.enqueue(Job.of(new JobKey("acme", "search", "welcome", "a1")).withAggregate("a"));

    assertThat(DATABASE.query("SELECT DISTINCT state FROM once_job")).containsExactly("ready");
  }

  @Test
  void walksThroughMoreAggregatesThanFitInOneLook() {
    DATABASE.execute(
        """
        INSERT INTO once_job (tenant, queue, type, key, fingerprint, state, priority, aggregate,
          checked, run_at, enqueued_at, correlation, payload)
        SELECT 'acme', 'mail', 'welcome', 'welcome:' || i, 'none:', 'blocked', 0, 'a' || i,
          true, now(), now(), '', ''
        FROM generate_series(1, 2500) i
        """);

    UnblockStatement.Position place = UnblockStatement.Position.FIRST;
    for (int look = 1; look <= 3; look++) {
      place = statements.unblock(place);
    }

    assertThat(DATABASE.query("SELECT DISTINCT state FROM once_job")).containsExactly("ready");
    assertThat(place).isEqualTo(UnblockStatement.Position.FIRST);
  }

  @Test
  void doesNotScanAggregatesWithoutABlockedJob() throws SQLException {
    jobs.enqueueAll(IntStream.range(1000, 2500).mapToObj(i -> jobOf("a" + i, "1")).toList());
    jobs.enqueue(jobOf("b", "1").withPriority(1));
    try (Connection late = DATABASE.begin(Connection.TRANSACTION_READ_COMMITTED)) {
      jobs.enqueue(late, jobOf("b", "2"));
      statements.finish(statements.claimOne("mail"));
      late.commit();
    }

    assertThat(statements.unblock()).containsExactly("mail");
  }

  private static Job jobOf(String aggregate, String number) {
    return TestJobs.job(aggregate + number).withAggregate(aggregate);
  }
}
