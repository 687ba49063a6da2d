package dev.once.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.Codec;
import dev.once.steps.RunId;
import dev.once.testkit.Sql;
import dev.once.workflow.RunWrites.CompletedRun;
import dev.once.workflow.RunWrites.RunEntry;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What statements cost when there are many other runs, with and without statistics. */
@Tag("any-jdk")
class WorkflowPlanTest {
  @RegisterExtension static final WorkflowDatabase DATABASE = new WorkflowDatabase("workflow-plan");

  private static final Workflow<@Nullable String, @Nullable String> WAIT =
      Workflow.of("wait", 1, Codec.text(), Codec.text());
  private static final RunId RUN = new RunId("acme", "order-1");
  private static final int OTHERS = 20_000;
  private static final int FEW = 60;
  private static final Duration RETENTION = Duration.ofDays(30);

  private final Workflows workflows =
      DATABASE.workflows(it -> it.register(WAIT, (context, order) -> order));

  @BeforeEach
  void noStatistics() {
    for (String table : new String[] {"run", "entry", "signal"}) {
      DATABASE.execute(
          "ALTER TABLE once_workflow_%s SET (autovacuum_enabled = off)".formatted(table));
      DATABASE.execute(
          "DELETE FROM pg_statistic WHERE starelid = 'once_workflow_%s'::regclass"
              .formatted(table));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void anActivationReadsItsOwnRunAlone(boolean hasStatistics) throws SQLException {
    addOthers();
    analyze(hasStatistics);

    try (Connection connection = transaction()) {
      activate(connection);

      assertThat(rowsReadIn(connection)).isLessThan(FEW);
    }
  }

  @Test
  void aPlanThatWasMadeForEmptyTablesReadsTheSameIndexes() throws SQLException {
    try (Connection connection = transaction()) {
      DATABASE.execute("ANALYZE once_workflow_run, once_workflow_entry, once_workflow_signal");
      activate(connection);
      connection.rollback();
      addOthers();

      activate(connection);

      assertThat(rowsReadIn(connection)).isLessThan(FEW);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aPageAndAPurgeReadWhatTheyReturnAndRemove(boolean hasStatistics) throws SQLException {
    addOthers();
    DATABASE.execute(
        """
        UPDATE once_workflow_run SET ended_at = clock_timestamp() - interval '1 year'
        WHERE run IN ('other-7', 'other-8')
        """);
    analyze(hasStatistics);

    try (Connection connection = transaction()) {
      RunQuery query = RunQuery.of("acme", RunState.RUNNING).withLimit(10);
      assertThat(FindRunStatement.list(connection, query, Values.PLAIN)).hasSize(10);
      assertThat(rowsReadIn(connection)).as("rows read for a page").isLessThan(FEW);

      assertThat(PurgeStatement.execute(connection, RETENTION, 1000)).isEqualTo(2);
      assertThat(rowsReadIn(connection)).as("and by a purge").isLessThan(2 * FEW);
    }
  }

  /** Begins an activation, records, takes a signal and lets the run wait. */
  private void activate(Connection connection) throws SQLException {
    workflows.start(connection, WAIT, RUN, "boots");
    Sql.execute(connection, "UPDATE once_job SET state = 'running' WHERE state = 'ready'");
    String job = Sql.query(connection, "SELECT id FROM once_job").get(0);
    String fence = Sql.query(connection, "SELECT fence FROM once_job").get(0);
    BegunRun run =
        BeginStatement.execute(
                connection,
                new WakeJob(RUN, Optional.empty()),
                Long.parseLong(job),
                Long.parseLong(fence))
            .orElseThrow();
    RecordStatement.execute(
        connection, run, EntryWrite.of("1", EntryKind.STEP, "work", EntryState.DONE));
    RunEntry shared =
        new RunEntry(run, EntryWrite.of("4", EntryKind.STEP, "work", EntryState.DONE));
    assertThat(RecordAllStatement.execute(connection, List.of(shared)))
        .containsExactly(Optional.of(Ownership.OWNED));
    TakeSignalStatement.execute(connection, run, "2", "go", Optional.empty());
    EntryWrite.of("2", EntryKind.SIGNAL, "go", EntryState.WAITING).addTo(run.history());
    SignalStatement.execute(connection, RUN, "other", "1", new byte[0]);
    RecordStatement.execute(
        connection, run, EntryWrite.of("3", EntryKind.CHOICE, "any", EntryState.DONE).input("1"));
    Savepoint before = connection.setSavepoint();
    List<CompletedRun> ended = List.of(new CompletedRun(run, new byte[0]));
    assertThat(CompleteAllStatement.execute(connection, ended)).containsExactly(0);
    connection.rollback(before);
    assertThat(SuspendStatement.execute(connection, run, false).isOver()).isTrue();
  }

  private static void addOthers() {
    DATABASE.execute(
        """
        INSERT INTO once_workflow_run (tenant, run, workflow, version, fingerprint, input)
        SELECT 'acme', 'other-' || n, 'wait', 1, '', '' FROM generate_series(1, %1$d) n;
        INSERT INTO once_workflow_entry (tenant, run, path, kind, name, state, attempt)
        SELECT 'acme', 'other-' || n, p::text, 'step', 'work', 'done', 0
        FROM generate_series(1, %1$d) n, generate_series(1, 3) p;
        INSERT INTO once_workflow_signal (tenant, run, name, id, value)
        SELECT 'acme', 'other-' || n, 'go', '1', '' FROM generate_series(1, %1$d) n
        """
            .formatted(OTHERS));
  }

  private static void analyze(boolean hasStatistics) {
    if (hasStatistics) {
      DATABASE.execute("ANALYZE once_workflow_run, once_workflow_entry, once_workflow_signal");
    }
  }

  private static Connection transaction() throws SQLException {
    Connection connection = DATABASE.direct().getConnection();
    connection.setAutoCommit(false);
    return connection;
  }

  /** Returns how many rows the transaction has read, as counted by the server. */
  private static long rowsReadIn(Connection connection) throws SQLException {
    String sql =
        "SELECT sum(coalesce(idx_tup_fetch, 0) + seq_tup_read) FROM pg_stat_xact_user_tables"
            + " WHERE relname LIKE 'once\\_workflow\\_%'";
    return Long.parseLong(Sql.query(connection, sql).get(0));
  }
}
