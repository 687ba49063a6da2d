package dev.once.workflow;

import dev.once.jdbc.internal.Parameters;
import dev.once.steps.RunId;
import dev.once.workflow.Values.Place;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads the history of a run. */
final class HistoryStatement {
  private static final String SQL =
      """
      SELECT r.workflow, r.version, r.input AS run_input, e.path, e.kind, e.name, e.input, e.state,
             e.attempt, e.value, e.failure, e.due_at, e.number, e.started_at, e.changed_at,
             clock_timestamp() AS now
      FROM once_workflow_run r
      LEFT JOIN once_workflow_entry e ON e.tenant = r.tenant AND e.run = r.run
      WHERE r.tenant = ? AND r.run = ?
      ORDER BY e.number
      """;

  private HistoryStatement() {}

  static List<HistoryEntry> execute(Connection connection, RunId run, Values values)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SQL)) {
      new Parameters(statement).text(run.tenant()).text(run.value());
      try (ResultSet rows = statement.executeQuery()) {
        List<HistoryEntry> entries = new ArrayList<>();
        while (rows.next()) {
          if (rows.getString("path") != null) {
            entries.add(view(rows, run, values));
          }
        }
        return entries;
      }
    }
  }

  /** Returns an open run as an activation would get it; what waits is due, so that it is passed. */
  static Optional<BegunRun> forCheck(Connection connection, RunId run) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SQL)) {
      new Parameters(statement).text(run.tenant()).text(run.value());
      try (ResultSet rows = statement.executeQuery()) {
        if (!rows.next()) {
          return Optional.empty();
        }
        String workflow = rows.getString("workflow");
        int version = rows.getInt("version");
        byte[] input = rows.getBytes("run_input");
        Instant now = rows.getTimestamp("now").toInstant();
        List<Entry> entries = new ArrayList<>();
        do {
          if (rows.getString("path") != null) {
            entries.add(Entry.read(rows));
          }
        } while (rows.next());
        History history = new History(entries, now);
        return Optional.of(
            new BegunRun(
                run, workflow, version, RunState.RUNNING, 0, false, input, null, false, history));
      }
    }
  }

  private static HistoryEntry view(ResultSet row, RunId run, Values values) throws SQLException {
    String workflow = row.getString("workflow");
    byte[] failure = row.getBytes("failure");
    EntryKind kind = EntryKind.of(row.getString("kind"));
    String name = row.getString("name");
    Place place =
        kind == EntryKind.CHILD
            ? Place.failure(run.tenant(), name)
            : Place.entry(run.tenant(), workflow, row.getString("path"));
    Timestamp dueAt = row.getTimestamp("due_at");
    return new HistoryEntry(
        row.getString("path"),
        kind.code(),
        name,
        row.getString("state"),
        row.getInt("attempt"),
        failure == null ? Optional.empty() : Optional.of(values.readFailure(place, failure)),
        Optional.ofNullable(dueAt).map(Timestamp::toInstant),
        row.getTimestamp("started_at").toInstant(),
        row.getTimestamp("changed_at").toInstant());
  }
}
