package dev.once.jobs;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.Set;

/** Reads the ids that a statement returns. */
final class Ids {
  private Ids() {}

  static Set<Long> read(PreparedStatement statement) throws SQLException {
    Set<Long> ids = new HashSet<>();
    try (ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        ids.add(rows.getLong(1));
      }
    }
    return ids;
  }
}
