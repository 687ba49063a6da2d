package dev.once.jobs;

import dev.once.jdbc.internal.Parameters;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

/** Reads a page of a tenant's audit trail. */
final class ListAuditStatement {
  private static final String SQL =
      """
      SELECT a.id, a.at, a.actor, a.action, a.job, a.tenant, a.queue, a.key, a.fingerprint,
             a.attempt, a.correlation
      FROM once_job_audit a
      WHERE a.tenant = ? AND a.id > ?
      ORDER BY a.id LIMIT ?
      """;

  private ListAuditStatement() {}

  static List<LetterAudit> execute(
      Connection connection, String tenant, long afterId, int limit, JobListener listener)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SQL)) {
      return new PageRows(listener, "entry of the audit trail")
          .page(
              afterId,
              limit,
              (after, wanted) -> {
                new Parameters(statement).text(tenant).number(after).number(wanted);
                return statement.executeQuery();
              },
              LetterAudit::read);
    }
  }
}
