package dev.once.jobs;

import dev.once.jdbc.internal.Parameters;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Set;

/** Closes batches whose members are all finished, and makes their joins ready. */
final class CloseBatchesStatement {
  private static final String SQL = "SELECT once_job_close_batches(?) AS queues";

  private CloseBatchesStatement() {}

  /**
   * Has to be the first of its transaction.
   *
   * @return the queues of the joins
   */
  static Set<String> execute(Connection connection, List<Long> batches) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("SET TRANSACTION ISOLATION LEVEL READ COMMITTED");
    }
    try (PreparedStatement statement = connection.prepareStatement(SQL)) {
      new Parameters(statement).array("int8", batches, id -> id);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return Set.of((String[]) row.getArray("queues").getArray());
      }
    }
  }
}
