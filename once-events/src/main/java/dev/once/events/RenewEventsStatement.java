package dev.once.events;

import dev.once.events.Registry.Renewal;
import dev.once.jdbc.internal.Parameters;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Renews the leases of claimed events. Does not wait for a row that another transaction has locked,
 * such as an effect's own transaction that is about to commit: its lease is neither renewed nor
 * lost.
 */
final class RenewEventsStatement {
  private static final String SQL =
      """
      WITH mine AS MATERIALIZED (
        SELECT e.handler, e.event_id, e.fence, c.place
        FROM unnest(?, ?) WITH ORDINALITY AS c (event_id, fence, place)
        JOIN ${schema}.processed_event e
          ON e.handler = ? AND e.event_id = c.event_id AND e.fence = c.fence
        WHERE e.state = 'processing'),
      free AS MATERIALIZED (
        SELECT e.handler, e.event_id, e.fence
        FROM ${schema}.processed_event e JOIN mine m USING (handler, event_id, fence)
        FOR UPDATE OF e SKIP LOCKED),
      renewed AS (
        UPDATE ${schema}.processed_event e SET
          heartbeat_at = clock_timestamp(),
          lease_until = clock_timestamp() + ? * interval '1 microsecond'
        FROM free f
        WHERE e.handler = f.handler AND e.event_id = f.event_id AND e.fence = f.fence
          AND e.state = 'processing'
        RETURNING e.event_id)
      SELECT m.place, r.event_id IS NOT NULL AS is_renewed
      FROM mine m LEFT JOIN renewed r USING (event_id)
      """;

  private final String sql;
  private final String handler;
  private final Duration lease;

  RenewEventsStatement(String schema, String handler, Duration lease) {
    this.sql = SQL.replace("${schema}", schema);
    this.handler = handler;
    this.lease = lease;
  }

  Renewal execute(Connection connection, List<EventLease> leases) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      new Parameters(statement)
          .texts(leases, it -> it.event().id())
          .numbers(leases, EventLease::fence)
          .text(handler)
          .duration(lease);
      Set<EventLease> renewed = new HashSet<>();
      Set<EventLease> held = new HashSet<>();
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          EventLease lease = leases.get(rows.getInt("place") - 1);
          held.add(lease);
          if (rows.getBoolean("is_renewed")) {
            renewed.add(lease);
          }
        }
      }
      return new Renewal(renewed, held);
    }
  }
}
