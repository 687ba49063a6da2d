package dev.once.workflow;

import dev.once.jdbc.internal.Parameters;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Begins an activation: takes the run and reads its history, in one statement. */
final class BeginStatement {
  private static final String SQL =
      """
      SELECT (b.run).workflow, (b.run).version, (b.run).state AS run_state, (b.run).fence,
             (b.run).cancel_requested, (b.run).input AS run_input, (b.run).failure AS run_failure,
             (b.run).parent_run, b.now,
             (b.entry).path, (b.entry).kind, (b.entry).name, (b.entry).input, (b.entry).state,
             (b.entry).attempt, (b.entry).value, (b.entry).failure, (b.entry).due_at,
             (b.entry).number
      FROM once_workflow_begin(?, ?, ?, ?, ?::timestamptz) b
      """;

  private BeginStatement() {}

  /**
   * Returns nothing if there is nothing to do for this run of a job.
   *
   * @param claim the fence of the job's claim
   */
  static Optional<BegunRun> execute(Connection connection, WakeJob job, long jobId, long claim)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SQL)) {
      new Parameters(statement)
          .text(job.run().tenant())
          .text(job.run().value())
          .number(jobId)
          .number(claim)
          .time(job.timerAt().orElse(null));
      try (ResultSet rows = statement.executeQuery()) {
        return rows.next() ? Optional.of(read(rows, job)) : Optional.empty();
      }
    }
  }

  private static BegunRun read(ResultSet rows, WakeJob job) throws SQLException {
    String workflow = rows.getString("workflow");
    int version = rows.getInt("version");
    RunState state = RunState.of(rows.getString("run_state"));
    long fence = rows.getLong("fence");
    boolean isCancelled = rows.getBoolean("cancel_requested");
    byte[] input = rows.getBytes("run_input");
    byte[] failure = rows.getBytes("run_failure");
    boolean hasParent = rows.getString("parent_run") != null;
    Instant now = rows.getTimestamp("now").toInstant();
    List<Entry> entries = new ArrayList<>();
    while (rows.next()) {
      entries.add(Entry.read(rows));
    }
    return new BegunRun(
        job.run(),
        workflow,
        version,
        state,
        fence,
        isCancelled,
        input,
        failure,
        hasParent,
        new History(entries, now));
  }
}
