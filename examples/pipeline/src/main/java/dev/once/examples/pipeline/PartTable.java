package dev.once.examples.pipeline;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Tells the page what the demo does to its processes. */
record PartTable(DataSource database) {
  private static final String PUT =
      """
      INSERT INTO pipeline.part (name, state, pid, kills, since)
      VALUES (?, ?, ?, ?, clock_timestamp())
      ON CONFLICT (name) DO UPDATE
      SET state = excluded.state, pid = excluded.pid, kills = excluded.kills, since = excluded.since
      """;

  void put(Part part, String state) {
    try (Connection connection = database.getConnection();
        PreparedStatement statement = connection.prepareStatement(PUT)) {
      statement.setString(1, part.role().text());
      statement.setString(2, state);
      statement.setLong(3, part.pid());
      statement.setInt(4, part.kills());
      statement.executeUpdate();
    } catch (SQLException e) {
      throw new IllegalStateException("the table of parts cannot be written", e);
    }
  }
}
