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

/** Renews the leases of claimed events, by one call of the function {@code renew_events}. */
final class RenewEventsStatement {
  private static final String SQL =
      """
      SELECT place, is_renewed
      FROM ${schema}.renew_events(?, ? * interval '1 microsecond', ?, ?, ?)
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
          .text(handler)
          .duration(lease)
          .texts(leases, it -> it.event().id())
          .texts(leases, it -> it.event().aggregate().key())
          .numbers(leases, EventLease::fence);
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
