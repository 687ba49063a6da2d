package dev.once.examples.pipeline;

import dev.once.events.Aggregate;
import dev.once.events.Event;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Map;

/**
 * The graph of instances and their types in PostgreSQL. An event carries the whole state of its
 * aggregate, which is one node and the edges that start at it.
 */
final class TypeGraph {
  private static final String DELETE_EDGES = "DELETE FROM pipeline.edge WHERE kind = ? AND id = ?";
  private static final String DELETE_NODE = "DELETE FROM pipeline.node WHERE kind = ? AND id = ?";
  private static final String PUT_NODE =
      """
      INSERT INTO pipeline.node (kind, id, name, sequence) VALUES (?, ?, ?, ?)
      ON CONFLICT (kind, id) DO UPDATE SET name = excluded.name, sequence = excluded.sequence
      """;
  private static final String ADD_EDGE =
      "INSERT INTO pipeline.edge (kind, id, relation, to_id) VALUES (?, ?, ?, ?)";
  private static final String ADD_CHANGE =
      "INSERT INTO pipeline.graph_change (event_id, kind, id, sequence) VALUES (?, ?, ?, ?)";

  private TypeGraph() {}

  /** Applies an event in the transaction of its row in the registry. */
  static void apply(Event event, Connection connection) throws SQLException {
    Aggregate aggregate = event.aggregate();
    update(connection, DELETE_EDGES, aggregate.type(), aggregate.id());
    State state = State.of(event);
    if (state.isDeleted()) {
      update(connection, DELETE_NODE, aggregate.type(), aggregate.id());
    } else {
      update(
          connection, PUT_NODE, aggregate.type(), aggregate.id(), state.name(), event.sequence());
      for (Map.Entry<String, String> edge : state.edges().entrySet()) {
        update(
            connection, ADD_EDGE, aggregate.type(), aggregate.id(), edge.getKey(), edge.getValue());
      }
    }
    update(connection, ADD_CHANGE, event.id(), aggregate.type(), aggregate.id(), event.sequence());
  }

  private static void update(Connection connection, String sql, Object... values)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < values.length; i++) {
        statement.setObject(i + 1, values[i]);
      }
      statement.executeUpdate();
    }
  }
}
