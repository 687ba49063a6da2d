package dev.once.workflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.once.Codec;
import dev.once.jdbc.internal.Threads;
import dev.once.jdbc.internal.TransactionRunner;
import dev.once.json.Fingerprinter;
import dev.once.steps.RunId;
import dev.once.testkit.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What two processes do to one run at the same time, and what a lost answer repeats. */
class InterleavingTest {
  @RegisterExtension
  static final WorkflowDatabase DATABASE = new WorkflowDatabase("workflow-interleaving");

  private static final Workflow<@Nullable String, @Nullable String> WAIT =
      Workflow.of("wait", 1, Codec.text(), Codec.text());
  private static final Workflow<@Nullable String, @Nullable String> CHILD =
      Workflow.of("child", 1, Codec.text(), Codec.text());
  private static final SignalType<String> GO = SignalType.of("go", Codec.text());
  private static final RunId RUN = new RunId("acme", "order-1");
  private static final long JOB = 1;

  private final Workflows workflows =
      DATABASE.workflows(it -> it.register(WAIT, (context, order) -> context.awaitSignal(GO)));

  /** A job as it is while a worker runs it. */
  private static void running(long id, long claim) {
    DATABASE.execute(
        """
        INSERT INTO once_job (id, tenant, queue, type, key, fingerprint, state, priority, fence,
          checked, run_at, enqueued_at, correlation, payload) OVERRIDING SYSTEM VALUE
        VALUES (%1$d, 'acme', 'other', 'wait.v1', 'wait.v1:%1$d', '', 'running', 0, %2$d, true,
          clock_timestamp(), clock_timestamp(), '', '')
        ON CONFLICT (id) DO UPDATE SET fence = excluded.fence
        """
            .formatted(id, claim));
  }

  private static Optional<BegunRun> begin(Connection connection, long job, long claim)
      throws SQLException {
    return BeginStatement.execute(connection, new WakeJob(RUN, Optional.empty()), job, claim);
  }

  private static BegunRun begun(long job, long claim) throws SQLException {
    try (Connection connection = DATABASE.pool().getConnection()) {
      return begin(connection, job, claim).orElseThrow();
    }
  }

  private static RunSession session(BegunRun run) {
    return new RunSession(run, engine(), () -> false);
  }

  private static Engine engine() {
    return new Engine(
        new TransactionRunner(DATABASE.pool()),
        new RunWrites(DATABASE.pool()),
        DATABASE.jobs(),
        WorkflowDatabase.QUEUE,
        Values.PLAIN,
        Fingerprinter.sha256(),
        Threads.scheduled(1, "unused"));
  }

  @Test
  void aWorkerThatWasPausedDoesNotTakeARunFromTheLaterOwnerOfItsJob() throws SQLException {
    workflows.start(WAIT, RUN, "boots");
    running(JOB, 2);
    BegunRun later = begun(JOB, 2);

    try (Connection connection = DATABASE.pool().getConnection()) {
      assertThat(begin(connection, JOB, 1)).isEmpty();

      assertThat(SuspendStatement.execute(connection, later, false).isOver()).isTrue();
      assertThat(begin(connection, JOB, 1)).as("of a run that waits").isEmpty();
    }
    assertThat(DATABASE.query("SELECT owner_job IS NULL FROM once_workflow_run"))
        .containsExactly("t");
  }

  @Test
  void ofTwoJobsThatWaitForTheRunOneOwnsIt() throws Exception {
    workflows.start(WAIT, RUN, "boots");
    for (int i = 0; i < 50; i++) {
      running(JOB, 1);
      running(JOB + 1, 1);
      DATABASE.execute("UPDATE once_workflow_run SET owner_job = NULL");
      DATABASE.execute("UPDATE once_job SET state = 'ready' WHERE id = " + JOB);
      try (Connection other = DATABASE.pool().getConnection()) {
        other.setAutoCommit(false);
        Sql.execute(other, "UPDATE once_workflow_run SET fence = fence + 1");
        CompletableFuture<Boolean> second = beginning(JOB + 1);
        awaitWaiting(1);
        DATABASE.execute("UPDATE once_job SET state = 'running' WHERE id = " + JOB);
        CompletableFuture<Boolean> first = beginning(JOB);
        awaitWaiting(2);
        other.commit();

        assertThat(List.of(first.get(10, TimeUnit.SECONDS), second.get(10, TimeUnit.SECONDS)))
            .containsExactlyInAnyOrder(true, false);
      }
    }
  }

  private static CompletableFuture<Boolean> beginning(long job) {
    return CompletableFuture.supplyAsync(
        () -> engine().transactions().run("beginning", it -> begin(it, job, 1)).isPresent(),
        task -> Threads.daemon(task, "beginning").start());
  }

  private static void awaitWaiting(int sessions) {
    Polling.until(
        () ->
            DATABASE.query(
                """
                SELECT count(*) FROM pg_stat_activity
                WHERE wait_event_type = 'Lock' AND datname = current_database()
                """),
        it -> it.equals(List.of(String.valueOf(sessions))));
  }

  @ParameterizedTest
  @ValueSource(
      ints = {Connection.TRANSACTION_READ_COMMITTED, Connection.TRANSACTION_REPEATABLE_READ})
  void aReasonThatComesWhileTheRunIsMadeToWaitContinuesIt(int isolation) throws Exception {
    workflows.start(WAIT, RUN, "boots");
    running(JOB, 1);
    running(JOB + 1, 1);
    BegunRun first = begun(JOB, 1);

    try (Connection waiting = DATABASE.pool().getConnection()) {
      waiting.setAutoCommit(false);
      waiting.setTransactionIsolation(isolation);
      assertThat(SuspendStatement.execute(waiting, first, false).isOver()).isTrue();
      workflows.signal(RUN, GO, "1", "go");
      CompletableFuture<Optional<BegunRun>> second =
          CompletableFuture.supplyAsync(
              () -> engine().transactions().run("beginning", it -> begin(it, JOB + 1, 1)));
      awaitLockOrEnd(second);
      waiting.commit();

      assertThat(second.get(10, TimeUnit.SECONDS)).isPresent();
    }
  }

  private static void awaitLockOrEnd(CompletableFuture<?> call) {
    Polling.until(
        () ->
            call.isDone()
                || DATABASE
                    .query("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'")
                    .equals(List.of("1")),
        it -> it);
  }

  @Test
  void inOneSnapshotNothingIsMissedThatAnEarlierActivationWrites() throws Exception {
    workflows.start(WAIT, RUN, "boots");
    running(JOB, 1);
    BegunRun first = begun(JOB, 1);
    running(JOB, 2); // Its lease expired, and another worker claimed it.

    try (Connection late = snapshot();
        Connection next = snapshot()) {
      RecordStatement.execute(
          late, first, EntryWrite.of("1", EntryKind.STEP, "charge", EntryState.DONE));
      late.commit();
      Optional<BegunRun> second;
      try {
        second = begin(next, JOB, 2);
      } catch (SQLException e) {
        assertThat(e.getSQLState()).isEqualTo("40001"); // It is repeated.
        return;
      }
      assertThat(second.orElseThrow().history().find("1")).isPresent();
    }
  }

  @Test
  void inOneSnapshotNoRunWaitsWithoutWhatAnActivationLeftToIt() throws Exception {
    workflows.start(WAIT, RUN, "boots");
    running(JOB, 1);
    running(JOB + 1, 1);
    BegunRun first = begun(JOB, 1);
    RunSession session = session(first);
    session.record(EntryWrite.of("1", EntryKind.SIGNAL, "go", EntryState.WAITING));

    try (Connection waiting = snapshot();
        Connection second = snapshot(workflows)) {
      assertThat(begin(second, JOB + 1, 1)).isEmpty();
      second.commit();
      boolean isOver;
      try {
        isOver = SuspendStatement.execute(waiting, first, false).isOver();
      } catch (SQLException e) {
        assertThat(e.getSQLState()).isEqualTo("40001"); // It is repeated.
        return;
      }
      assertThat(isOver).isFalse();
    }
  }

  /** A transaction whose snapshot is from now. */
  private static Connection snapshot() throws SQLException {
    Connection connection = DATABASE.pool().getConnection();
    connection.setAutoCommit(false);
    connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
    Sql.query(connection, "SELECT count(*) FROM once_workflow_run");
    return connection;
  }

  /** A transaction with a later snapshot, which sees a signal. */
  private static Connection snapshot(Workflows workflows) throws SQLException {
    workflows.signal(RUN, GO, "1", "go");
    return snapshot();
  }

  @Test
  void theEndOfAChildIsKeptAlthoughItsStartIsRepeated() throws SQLException {
    workflows.start(WAIT, RUN, "boots");
    running(JOB, 1);
    BegunRun parent = begun(JOB, 1);
    EntryWrite entry =
        EntryWrite.of("1", EntryKind.CHILD, "child", EntryState.WAITING).input("packing");

    try (Connection connection = DATABASE.pool().getConnection()) {
      RecordStatement.execute(connection, parent, entry);
      // The answer is lost, and the child ends before the statement is repeated.
      DATABASE.execute("UPDATE once_workflow_entry SET state = 'done' WHERE path = '1'");
      RecordStatement.execute(connection, parent, entry);
    }

    assertThat(DATABASE.query("SELECT state FROM once_workflow_entry")).containsExactly("done");
  }

  @Test
  void whatIsDoneStaysDoneIfAnEarlierStatementArrivesLate() throws SQLException {
    workflows.start(WAIT, RUN, "boots");
    running(JOB, 1);
    BegunRun run = begun(JOB, 1);
    EntryWrite begun = EntryWrite.of("1", EntryKind.STEP, "charge", EntryState.BEGUN);
    EntryWrite done = EntryWrite.of("1", EntryKind.STEP, "charge", EntryState.DONE);

    try (Connection connection = DATABASE.pool().getConnection()) {
      RecordStatement.execute(connection, run, begun);
      RecordStatement.execute(connection, run, done);
      assertThat(RecordStatement.execute(connection, run, done)).isEqualTo(Ownership.OWNED);

      assertThatThrownBy(() -> RecordStatement.execute(connection, run, begun))
          .hasMessageContaining("step charge at 1 has ended");
    }
    assertThat(DATABASE.query("SELECT state FROM once_workflow_entry")).containsExactly("done");
  }

  @Test
  void aRunWithTheNameOfAPurgedOneStarts() {
    Workflows running = DATABASE.running(it -> it.register(CHILD, (context, order) -> order));
    running.start(CHILD, RUN, "boots");
    WorkflowDatabase.ended(running, RUN);
    String fence = DATABASE.query("SELECT fence FROM once_workflow_run").get(0);
    Polling.until(() -> DATABASE.query("SELECT key FROM once_job"), List::isEmpty);
    DATABASE.execute("UPDATE once_workflow_run SET ended_at = ended_at - interval '1 hour'");
    running.runs().purge(Duration.ofMinutes(1), 1);

    running.start(CHILD, RUN, "boots");

    assertThat(WorkflowDatabase.ended(running, RUN).activations()).isEqualTo(1);
    assertThat(DATABASE.query("SELECT fence > " + fence + " FROM once_workflow_run"))
        .containsExactly("t");
  }

  @Test
  void aRunWhoseTimerWasRemovedGetsAnotherWhenItIsResumed() {
    Workflows running =
        DATABASE.running(
            it ->
                it.register(
                    CHILD,
                    (context, order) -> {
                      context.sleepUntil(Instant.parse("2200-01-01T00:00:00Z"));
                      return order;
                    }));
    running.start(CHILD, RUN, "boots");
    DATABASE.awaitSuspended(RUN);
    Polling.until(
        () -> DATABASE.query("SELECT count(*) FROM once_job"), it -> it.equals(List.of("1")));
    DATABASE.execute("DELETE FROM once_job");

    running.runs().resume(RUN);

    Polling.until(
        () -> DATABASE.query("SELECT count(*) FROM once_job WHERE state = 'waiting'"),
        it -> it.equals(List.of("1")));
  }

  @Test
  void aRunThatGoesOnIsNotTakenFromItsWorkerByAnOperator() throws SQLException {
    workflows.start(WAIT, RUN, "boots");
    running(JOB, 1);
    BegunRun first = begun(JOB, 1);

    assertThat(workflows.runs().resume(RUN)).isTrue();

    session(first).record(EntryWrite.of("1", EntryKind.STEP, "charge", EntryState.DONE));
    assertThat(DATABASE.query("SELECT state FROM once_workflow_entry")).containsExactly("done");
  }

  @Test
  void whatTheDatabaseRefusesIsNotRepeatedForEver() {
    DATABASE.execute("ALTER TABLE once_workflow_entry ADD CONSTRAINT strict CHECK (name <> 'odd')");
    try {
      Workflows running =
          DATABASE.running(
              it ->
                  it.register(
                      CHILD,
                      (context, order) ->
                          context.step(WorkflowStep.of("odd", Codec.text()), e -> order)));

      running.start(CHILD, RUN, "boots");

      Polling.until(
          () -> DATABASE.query("SELECT coalesce(reason, '') FROM once_job"),
          it -> it.size() == 1 && it.get(0).contains("recording an entry failed"));
    } finally {
      DATABASE.execute("ALTER TABLE once_workflow_entry DROP CONSTRAINT strict");
    }
  }
}
