package dev.once.bench;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** A table in which a step inserts a row each time it runs. */
record StepRows(BenchDatabase database) {
  void create() {
    database.execute(
        """
        CREATE TABLE step_row (
          id bigserial PRIMARY KEY, workflow text NOT NULL, step int NOT NULL, owner text NOT NULL)
        """);
  }

  /** Inserts the row of a step, in the transaction of {@code connection}. */
  static void insert(Connection connection, String owner, String workflow, int step)
      throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "INSERT INTO step_row (workflow, step, owner) VALUES (?, ?, ?)")) {
      statement.setString(1, workflow);
      statement.setInt(2, step);
      statement.setString(3, owner);
      statement.executeUpdate();
    }
  }

  long of(String owner) throws SQLException {
    return database.number("SELECT count(*) FROM step_row WHERE owner = '%s'".formatted(owner));
  }
}
