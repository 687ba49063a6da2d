package dev.once.jdbc;

import dev.once.Outcome;
import dev.once.spi.Claim;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Records the outcome of a grant that still owns its key. */
final class CompleteStatement {
  private static final String SET =
      """
      UPDATE once_record
      SET state = ?, status = ?, headers = ?, body_form = ?, body_bytes = ?, body = ?,
          expires_at = clock_timestamp() + ? * interval '1 microsecond'
      """;

  private static final String SQL = SET + GrantCondition.SQL;

  /**
   * For the transaction that made the claim. Fails by a division by zero if there is nothing to
   * complete, so that what is sent along behind it does not run.
   */
  static final String OR_FAIL =
      "WITH done AS (" + SET + GrantCondition.UNSEEN + "RETURNING 1) SELECT 1 / count(*) FROM done";

  /** Only the grant with this fence can have finished the record under it. */
  private static final String IS_DONE =
      """
      SELECT 1 FROM once_record
      WHERE tenant = ? AND scope = ? AND key = ? AND fence = ?
        AND state IN ('completed', 'failed') AND expires_at > clock_timestamp()
      """;

  private CompleteStatement() {}

  static void bind(PreparedStatement statement, Completion end) throws SQLException {
    Outcome outcome = end.outcome();
    Body body = Body.of(outcome.payload());
    Parameters parameters =
        new Parameters(statement)
            .text(outcome.failed() ? "failed" : "completed")
            .number(outcome.status())
            .text(outcome.headers().toText())
            .text(body.form)
            .number(body.size)
            .bytes(body.bytes)
            .duration(end.retention());
    GrantCondition.bind(parameters, end.grant());
  }

  /** Returns whether the record holds an outcome of this grant, from now on or already. */
  static boolean execute(Connection connection, Completion end) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SQL)) {
      bind(statement, end);
      return statement.executeUpdate() == 1 || isDone(connection, end.grant());
    }
  }

  /** Does the same for each of {@code ends}, in one round trip. */
  static List<Supplier<Boolean>> execute(Connection connection, List<Completion> ends)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SQL)) {
      for (Completion end : ends) {
        bind(statement, end);
        statement.addBatch();
      }
      int[] changed = statement.executeBatch();
      List<Supplier<Boolean>> answers = new ArrayList<>();
      for (int i = 0; i < changed.length; i++) {
        boolean done = changed[i] == 1 || isDone(connection, ends.get(i).grant());
        answers.add(() -> done);
      }
      return answers;
    }
  }

  private static boolean isDone(Connection connection, Claim.Granted grant) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(IS_DONE)) {
      GrantCondition.bind(new Parameters(statement), grant);
      try (ResultSet row = statement.executeQuery()) {
        return row.next();
      }
    }
  }
}
