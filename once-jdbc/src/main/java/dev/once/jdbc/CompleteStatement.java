package dev.once.jdbc;

import dev.once.Outcome;
import dev.once.jdbc.internal.Parameters;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

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
   * For the transaction that made the claim. Fails if there is nothing to complete, so that the
   * statements sent after it in the same round trip do not run.
   */
  static final String OR_FAIL =
      "WITH done AS ("
          + SET
          + GrantCondition.UNSEEN
          + "RETURNING 1)\n"
          + "SELECT once_require(count(*) = 1) FROM done";

  private CompleteStatement() {}

  static void bind(PreparedStatement statement, CompletionCall end) throws SQLException {
    Outcome outcome = end.outcome();
    StoredBody body = end.body();
    Parameters parameters =
        new Parameters(statement)
            .text(outcome.failed() ? "failed" : "completed")
            .number(outcome.status())
            .text(end.headers())
            .text(body.form)
            .number(body.size)
            .bytes(body.bytes)
            .duration(end.retention());
    GrantCondition.bind(parameters, end.grant());
  }

  static ChangeResult execute(Connection connection, CompletionCall end) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SQL)) {
      bind(statement, end);
      return statement.executeUpdate() == 1
          ? ChangeResult.MADE
          : GrantCondition.refused(connection, end.grant());
    }
  }
}
