package dev.once.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.steps.RunId;
import dev.once.testkit.Sql;
import dev.once.workflow.RunWrites.CompletedRun;
import dev.once.workflow.RunWrites.RunEntry;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Statements that several runs share change each run as a statement of its own would. */
class RunWritesTest {
  @RegisterExtension
  static final WorkflowDatabase DATABASE = new WorkflowDatabase("workflow-writes");

  private static final int RUNS = 40;
  private static final long FENCE = 7;
  private static final byte[] VALUE = {1, 2, 3};

  @BeforeEach
  void addRuns() {
    DATABASE.execute(
        """
        INSERT INTO once_workflow_run (
          tenant, run, workflow, version, fingerprint, input, fence, owner_job)
        SELECT 'acme', 'run-' || n, 'wait', 1, '', '', %d, n FROM generate_series(0, %d) n
        """
            .formatted(FENCE, RUNS - 1));
  }

  private static BegunRun run(int number) {
    return new BegunRun(
        new RunId("acme", "run-" + number),
        "wait",
        1,
        RunState.RUNNING,
        FENCE,
        false,
        new byte[0],
        null,
        false,
        new History(List.of(), Instant.EPOCH));
  }

  private static EntryWrite step(EntryState state) {
    return EntryWrite.of("1", EntryKind.STEP, "work", state);
  }

  private static List<Optional<Ownership>> recordAll(RunEntry... entries) throws SQLException {
    try (Connection connection = DATABASE.pool().getConnection()) {
      return RecordAllStatement.execute(connection, List.of(entries));
    }
  }

  @Test
  void writesEntriesOfSeveralRunsWithTheirCompensations() throws SQLException {
    DATABASE.execute("UPDATE once_workflow_run SET cancel_requested = true WHERE run = 'run-1'");

    List<Optional<Ownership>> answers =
        recordAll(
            new RunEntry(run(0), step(EntryState.BEGUN).input("hash").registersCompensation(true)),
            new RunEntry(
                run(1), step(EntryState.WAITING).failedAttempts(2).delay(Duration.ofHours(1))),
            new RunEntry(run(2), step(EntryState.DONE).value(VALUE)));

    assertThat(answers)
        .containsExactly(
            Optional.of(Ownership.OWNED),
            Optional.of(Ownership.CANCELLED),
            Optional.of(Ownership.OWNED));
    assertThat(
            DATABASE.query(
                """
                SELECT concat_ws(' ', run, path, kind, name, input, state, attempt,
                  encode(value, 'hex'), round(extract(epoch FROM due_at - started_at)))
                FROM once_workflow_entry ORDER BY run, path
                """))
        .containsExactly(
            "run-0 1 step work hash begun 0",
            "run-0 1~ compensation work registered 0",
            "run-1 1 step work waiting 2 3600",
            "run-2 1 step work done 0 010203");
  }

  @Test
  void leavesOutRunsOfOtherOwnersAndEntriesThatHaveEnded() throws SQLException {
    DATABASE.execute("UPDATE once_workflow_run SET fence = fence + 1 WHERE run = 'run-0'");
    DATABASE.execute("UPDATE once_workflow_run SET owner_job = NULL WHERE run = 'run-1'");
    recordAll(new RunEntry(run(2), step(EntryState.DONE)));

    List<Optional<Ownership>> answers =
        recordAll(
            new RunEntry(run(0), step(EntryState.DONE)),
            new RunEntry(run(1), step(EntryState.DONE)),
            new RunEntry(run(2), step(EntryState.BEGUN)),
            new RunEntry(run(3), step(EntryState.BEGUN)));

    assertThat(answers)
        .containsExactly(
            Optional.empty(), Optional.empty(), Optional.empty(), Optional.of(Ownership.OWNED));
    assertThat(DATABASE.query("SELECT run || ' ' || state FROM once_workflow_entry ORDER BY run"))
        .containsExactly("run-2 done", "run-3 begun");
  }

  @Test
  void waitsForNoRunThatAnotherTransactionHasLocked() throws SQLException {
    try (Connection other = DATABASE.pool().getConnection()) {
      other.setAutoCommit(false);
      Sql.execute(other, "UPDATE once_workflow_run SET fence = fence + 1 WHERE run = 'run-0'");

      assertThat(
              recordAll(
                  new RunEntry(run(0), step(EntryState.DONE)),
                  new RunEntry(run(1), step(EntryState.DONE))))
          .containsExactly(Optional.empty(), Optional.of(Ownership.OWNED));
      try (Connection connection = DATABASE.pool().getConnection()) {
        List<CompletedRun> ended =
            List.of(new CompletedRun(run(0), VALUE), new CompletedRun(run(1), VALUE));
        assertThat(CompleteAllStatement.execute(connection, ended)).containsExactly(1);
      }
    }
  }

  @Test
  void noOtherActivationBeginsBeforeASharedStatementIsCommitted() throws Exception {
    DATABASE.execute("UPDATE once_workflow_run SET owner_job = NULL WHERE run <> 'run-0'");
    try (Connection connection = DATABASE.pool().getConnection()) {
      connection.setAutoCommit(false);
      RecordAllStatement.execute(
          connection, List.of(new RunEntry(run(0), step(EntryState.DONE).value(VALUE))));

      CompletableFuture<List<String>> next =
          CompletableFuture.supplyAsync(
              () -> DATABASE.query("UPDATE once_workflow_run SET fence = 8 RETURNING fence"));
      Polling.until(
          () ->
              DATABASE.query(
                  """
                  SELECT count(*) FROM pg_stat_activity
                  WHERE wait_event_type = 'Lock' AND datname = current_database()
                  """),
          it -> it.equals(List.of("1")));
      connection.commit();

      assertThat(next.get(10, TimeUnit.SECONDS)).contains("8");
    }
  }

  @Test
  void completesRunsThatAreOwnedAndHaveNoParent() throws SQLException {
    DATABASE.execute("UPDATE once_workflow_run SET fence = fence + 1 WHERE run = 'run-0'");
    DATABASE.execute("UPDATE once_workflow_run SET parent_run = 'run-3' WHERE run = 'run-1'");

    try (Connection connection = DATABASE.pool().getConnection()) {
      List<CompletedRun> ended =
          List.of(
              new CompletedRun(run(0), VALUE),
              new CompletedRun(run(1), VALUE),
              new CompletedRun(run(2), VALUE));
      assertThat(CompleteAllStatement.execute(connection, ended)).containsExactly(2);
    }
    assertThat(
            DATABASE.query(
                """
                SELECT concat_ws(' ', run, encode(value, 'hex'), owner_job) FROM once_workflow_run
                WHERE state = 'completed' AND ended_at IS NOT NULL
                """))
        .containsExactly("run-2 010203");
  }

  @Test
  void everyCallerGetsTheAnswerAboutItsOwnRun() throws Exception {
    DATABASE.execute("UPDATE once_workflow_run SET fence = fence + 1 WHERE run LIKE '%7'");
    RunWrites writes = new RunWrites(DATABASE.pool());
    ExecutorService callers = Executors.newFixedThreadPool(RUNS);
    List<CompletableFuture<Ownership>> answers = new ArrayList<>();
    try {
      for (int i = 0; i < RUNS; i++) {
        BegunRun run = run(i);
        answers.add(
            CompletableFuture.supplyAsync(
                () -> {
                  Ownership answer = writes.record(run, step(EntryState.DONE));
                  writes.complete(run, VALUE);
                  return answer;
                },
                callers));
      }
      for (int i = 0; i < RUNS; i++) {
        assertThat(answers.get(i).get(20, TimeUnit.SECONDS))
            .isEqualTo(i % 10 == 7 ? Ownership.LOST : Ownership.OWNED);
      }
    } finally {
      callers.shutdownNow();
    }
    assertThat(
            DATABASE.query(
                "SELECT count(*) FROM once_workflow_run JOIN once_workflow_entry USING (tenant, run)"
                    + " WHERE once_workflow_run.state = 'completed'"))
        .containsExactly("36");
  }
}
