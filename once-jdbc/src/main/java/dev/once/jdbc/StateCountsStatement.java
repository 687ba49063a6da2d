package dev.once.jdbc;

import dev.once.internal.Limits;
import dev.once.jdbc.internal.Parameters;
import dev.once.spi.State;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Counts records by state: no index has the state, so it reads a bounded number of rows. */
final class StateCountsStatement {
  private static final String SQL =
      """
      SELECT state_now, count(*) AS count,
             (extract(epoch FROM clock_timestamp() - min(created_at)) * 1000)::bigint AS oldest_ms
      FROM (
        SELECT created_at, CASE WHEN expires_at <= clock_timestamp() THEN '' ELSE state_now END
                 AS state_now
        FROM (SELECT expires_at, created_at,
      """
          + RecordRow.STATE_NOW
          + """
              FROM once_record %s LIMIT ?) AS page) AS states
      GROUP BY state_now
      """;

  private static final String EVERY_TENANT = SQL.formatted("");
  private static final String ONE_TENANT = SQL.formatted("WHERE tenant = ?");

  private StateCountsStatement() {}

  static StateCounts execute(Connection connection, Optional<String> tenant, int maxRows)
      throws SQLException {
    Limits.range("rows", maxRows, 1, StateCounts.MAX_ROWS);
    try (PreparedStatement statement =
        connection.prepareStatement(tenant.isPresent() ? ONE_TENANT : EVERY_TENANT)) {
      Parameters parameters = new Parameters(statement);
      if (tenant.isPresent()) {
        parameters.text(tenant.get());
      }
      // One more shows whether there are more.
      parameters.number(maxRows + 1);
      try (ResultSet rows = statement.executeQuery()) {
        return read(rows, maxRows);
      }
    }
  }

  private static StateCounts read(ResultSet rows, int maxRows) throws SQLException {
    Map<State, Long> counts = new EnumMap<>(State.class);
    for (State state : State.values()) {
      counts.put(state, 0L);
    }
    long expired = 0;
    long total = 0;
    long oldestMillis = -1;
    while (rows.next()) {
      String word = rows.getString("state_now");
      long count = rows.getLong("count");
      total += count;
      if (word.isEmpty()) {
        expired = count;
        continue;
      }
      State state = State.valueOf(word.toUpperCase(Locale.ROOT));
      counts.put(state, count);
      if (state == State.IN_PROGRESS || state == State.UNCERTAIN) {
        oldestMillis = Math.max(oldestMillis, rows.getLong("oldest_ms"));
      }
    }
    return new StateCounts(
        counts,
        expired,
        total <= maxRows,
        oldestMillis < 0 ? Optional.empty() : Optional.of(Duration.ofMillis(oldestMillis)));
  }
}
