package dev.once.workflow;

import dev.once.jdbc.internal.Parameters;
import dev.once.steps.RunId;
import dev.once.workflow.Values.Place;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads runs. */
final class FindRunStatement {
  private static final String COLUMNS =
      """
      SELECT r.tenant, r.run, r.workflow, r.version, r.state, r.cancel_requested, r.failure,
             r.activations,
             r.started_at, r.ended_at
      FROM once_workflow_run r
      """;

  private static final String ONE = COLUMNS + "WHERE r.tenant = ? AND r.run = ?";

  private static final String PAGE =
      COLUMNS + "WHERE r.tenant = ? AND r.state = ? AND r.run > ? ORDER BY r.run LIMIT ?";

  private static final String VALUE =
      """
      SELECT r.workflow, r.value FROM once_workflow_run r
      WHERE r.tenant = ? AND r.run = ? AND r.state = 'completed'
      """;

  private FindRunStatement() {}

  static Optional<RunView> execute(Connection connection, RunId run, Values values)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(ONE)) {
      new Parameters(statement).text(run.tenant()).text(run.value());
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? Optional.of(read(row, values)) : Optional.empty();
      }
    }
  }

  static List<RunView> list(Connection connection, RunQuery query, Values values)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(PAGE)) {
      new Parameters(statement)
          .text(query.tenant())
          .text(query.state().code())
          .text(query.after().orElse(""))
          .number(query.limit());
      try (ResultSet rows = statement.executeQuery()) {
        List<RunView> runs = new ArrayList<>();
        while (rows.next()) {
          runs.add(read(rows, values));
        }
        return runs;
      }
    }
  }

  static <O> Optional<O> value(
      Connection connection, RunId run, Workflow<?, @Nullable O> workflow, Values values)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(VALUE)) {
      new Parameters(statement).text(run.tenant()).text(run.value());
      try (ResultSet row = statement.executeQuery()) {
        if (!row.next()) {
          return Optional.empty();
        }
        if (!workflow.name().equals(row.getString("workflow"))) {
          throw new IllegalArgumentException(
              "run %s is of workflow %s, not %s"
                  .formatted(run.value(), row.getString("workflow"), workflow.name()));
        }
        Place place = Place.value(run.tenant(), workflow.name());
        return Optional.ofNullable(values.unpack(place, workflow.value(), row.getBytes("value")));
      }
    }
  }

  private static RunView read(ResultSet row, Values values) throws SQLException {
    RunId run = new RunId(row.getString("tenant"), row.getString("run"));
    String workflow = row.getString("workflow");
    byte[] failure = row.getBytes("failure");
    Timestamp endedAt = row.getTimestamp("ended_at");
    return new RunView(
        run,
        workflow,
        row.getInt("version"),
        RunState.of(row.getString("state")),
        row.getBoolean("cancel_requested"),
        failure == null
            ? Optional.empty()
            : Optional.of(values.readFailure(Place.failure(run.tenant(), workflow), failure)),
        row.getLong("activations"),
        row.getTimestamp("started_at").toInstant(),
        Optional.ofNullable(endedAt).map(Timestamp::toInstant));
  }
}
