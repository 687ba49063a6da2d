package dev.once.workflow;

import dev.once.jdbc.internal.Parameters;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Takes a signal, or writes that the run waits for one. */
final class TakeSignalStatement {
  private static final String SQL =
      """
      SELECT owned, cancelled, state, value
      FROM once_workflow_take_signal(?, ?, ?, ?, ?, ? * interval '1 microsecond')
      """;

  /** What became of the wait; {@code value} is there if {@code state} is done. */
  @SuppressWarnings("ArrayRecordComponent") // read from a row, never compared
  record Taken(Ownership ownership, EntryState state, byte @Nullable [] value) {}

  private TakeSignalStatement() {}

  static Taken execute(
      Connection connection, BegunRun run, String path, String name, Optional<Duration> timeout)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SQL)) {
      new Parameters(statement)
          .text(run.id().tenant())
          .text(run.id().value())
          .number(run.fence())
          .text(path)
          .text(name)
          .number(
              timeout
                  .map(it -> OptionalLong.of(Parameters.micros(it)))
                  .orElse(OptionalLong.empty()));
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        Ownership ownership = Ownership.of(row.getBoolean("owned"), row.getBoolean("cancelled"));
        return ownership == Ownership.LOST
            ? new Taken(ownership, EntryState.WAITING, null)
            : new Taken(ownership, EntryState.of(row.getString("state")), row.getBytes("value"));
      }
    }
  }
}
