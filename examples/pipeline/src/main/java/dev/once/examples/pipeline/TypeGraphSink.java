package dev.once.examples.pipeline;

import dev.once.events.Event;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;

/** Compares the graph in PostgreSQL with the log. */
final class TypeGraphSink {
  private TypeGraphSink() {}

  static SinkResult check(DataSource database, LogContent log) throws SQLException {
    Set<List<String>> nodes =
        Set.copyOf(rows(database, "SELECT kind, id, name, sequence FROM pipeline.node"));
    Set<List<String>> edges =
        Set.copyOf(rows(database, "SELECT kind, id, relation, to_id FROM pipeline.edge"));
    List<SinkResult.Change> journal =
        rows(database, "SELECT event_id, sequence FROM pipeline.graph_change").stream()
            .map(it -> new SinkResult.Change(it.get(0), Long.parseLong(it.get(1))))
            .toList();
    List<SinkResult.Change> changes =
        log.events().stream().map(it -> new SinkResult.Change(it.id(), it.sequence())).toList();
    boolean isEqual = nodes.equals(nodes(log)) && edges.equals(edges(log));
    return SinkResult.of(
        Role.ONTOLOGY_WORKER, "PostgreSQL", changes, journal, isEqual, nodes.size());
  }

  private static Set<List<String>> nodes(LogContent log) {
    Set<List<String>> nodes = new HashSet<>();
    for (Event event : log.last()) {
      State state = State.of(event);
      if (!state.isDeleted()) {
        nodes.add(
            List.of(
                event.aggregate().type(),
                event.aggregate().id(),
                state.name(),
                String.valueOf(event.sequence())));
      }
    }
    return nodes;
  }

  private static Set<List<String>> edges(LogContent log) {
    Set<List<String>> edges = new HashSet<>();
    for (Event event : log.last()) {
      State.of(event)
          .edges()
          .forEach(
              (relation, to) ->
                  edges.add(
                      List.of(event.aggregate().type(), event.aggregate().id(), relation, to)));
    }
    return edges;
  }

  private static List<List<String>> rows(DataSource database, String sql) throws SQLException {
    List<List<String>> all = new ArrayList<>();
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      int columns = rows.getMetaData().getColumnCount();
      while (rows.next()) {
        List<String> row = new ArrayList<>();
        for (int i = 1; i <= columns; i++) {
          row.add(rows.getString(i));
        }
        all.add(List.copyOf(row));
      }
    }
    return all;
  }
}
