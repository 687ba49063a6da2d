package dev.once.events;

import dev.once.jdbc.internal.Parameters;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Settles claimed events of a handler, by one call of the function {@code settle_events}. */
final class SettleEventsStatement {
  private static final String SQL =
      "SELECT place, state, is_new FROM ${schema}.settle_events(?, ?, ?, ?, ?, ?, ?)";

  private final String sql;
  private final String handler;

  SettleEventsStatement(String schema, String handler) {
    this.sql = SQL.replace("${schema}", schema);
    this.handler = handler;
  }

  Map<EventLease, SettleAnswer> execute(Connection connection, List<SettleRequest> requests)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      new Parameters(statement)
          .text(handler)
          .texts(requests, it -> it.lease().event().id())
          .texts(requests, it -> it.lease().event().aggregate().key())
          .numbers(requests, it -> it.lease().fence())
          .texts(requests, it -> it.result().word())
          .numbers(requests, it -> Parameters.micros(it.result().delay()))
          .array("text", requests, it -> it.result().reason().orElse(null));
      Map<EventLease, SettleAnswer> answers = new HashMap<>();
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          answers.put(
              requests.get(rows.getInt("place") - 1).lease(),
              new SettleAnswer(
                  ProcessedState.of(rows.getString("state")), rows.getBoolean("is_new")));
        }
      }
      return answers;
    }
  }
}
