package dev.once.bench;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * A table in which every effect inserts a row. An effect that gets a fence checks it: it inserts no
 * row if a later owner of its key has been there.
 */
record EffectRows(BenchDatabase database) {
  private static final String RAISE =
      """
      INSERT INTO effect_fence (key, fence) VALUES (?, ?)
      ON CONFLICT (key) DO UPDATE SET fence = excluded.fence
      WHERE effect_fence.fence <= excluded.fence
      """;

  void createTables() {
    database.execute("CREATE TABLE effect (key text NOT NULL, answer text NOT NULL)");
    database.execute("CREATE INDEX effect_key ON effect (key)");
    database.execute("CREATE TABLE effect_fence (key text PRIMARY KEY, fence bigint NOT NULL)");
  }

  /** Performs the effect and returns {@code answer}. */
  String write(String key, String answer, OptionalLong fence) throws SQLException {
    database.inTransaction(
        connection -> {
          if (fence.isPresent()
              && BenchDatabase.update(connection, RAISE, key, fence.getAsLong()) == 0) {
            throw new IllegalStateException("a later owner of the key has been here");
          }
          BenchDatabase.update(
              connection, "INSERT INTO effect (key, answer) VALUES (?, ?)", key, answer);
        });
    return answer;
  }

  /** Returns the number of effects of each of {@code keys}. */
  Map<String, Long> counts(List<String> keys) throws SQLException {
    Map<String, Long> counts = new HashMap<>();
    keys.forEach(it -> counts.put(it, 0L));
    try (Connection connection = database.pool().getConnection();
        PreparedStatement statement =
            connection.prepareStatement(
                "SELECT key, count(*) FROM effect WHERE key = ANY (?) GROUP BY key")) {
      statement.setArray(1, connection.createArrayOf("text", keys.toArray()));
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          counts.put(row.getString(1), row.getLong(2));
        }
      }
    }
    return counts;
  }
}
