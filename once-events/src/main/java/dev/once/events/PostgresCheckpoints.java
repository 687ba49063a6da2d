package dev.once.events;

import dev.once.jdbc.internal.Parameters;
import dev.once.jdbc.internal.TransactionRunner;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Function;

/** Checkpoints of logs in PostgreSQL, in the row of each relay's lease. */
final class PostgresCheckpoints implements CheckpointStore {
  private final TransactionRunner transactions;
  private final String load;
  private final String save;

  PostgresCheckpoints(TransactionRunner transactions, String schema) {
    this.transactions = transactions;
    this.load = "SELECT position, fence, recent_ids FROM " + schema + ".relay WHERE name = ?";
    this.save =
        "UPDATE " + schema + ".relay SET position = ?, recent_ids = ? WHERE name = ? AND fence = ?";
  }

  @Override
  public Checkpoint load(String relay) {
    return transactions.run(
        "reading the checkpoint of relay " + relay, connection -> load(connection, relay));
  }

  private Checkpoint load(Connection connection, String relay) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(load)) {
      new Parameters(statement).text(relay);
      try (ResultSet row = statement.executeQuery()) {
        return row.next()
            ? new Checkpoint(
                row.getString("position"),
                row.getLong("fence"),
                List.of((String[]) row.getArray("recent_ids").getArray()))
            : Checkpoint.NONE;
      }
    }
  }

  @Override
  public boolean save(String relay, Checkpoint checkpoint) {
    return transactions.run(
        "saving the checkpoint of relay " + relay,
        connection -> {
          try (PreparedStatement statement = connection.prepareStatement(save)) {
            new Parameters(statement)
                .text(checkpoint.position())
                .texts(checkpoint.recentIds(), Function.identity())
                .text(relay)
                .number(checkpoint.fence());
            return statement.executeUpdate() == 1;
          }
        });
  }
}
