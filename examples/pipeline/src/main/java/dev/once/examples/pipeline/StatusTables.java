package dev.once.examples.pipeline;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.sql.DataSource;

/** Reads what PostgreSQL knows about the state of the system. */
record StatusTables(DataSource database, String schema) {

  /** Returns the number of events per handler and state. */
  Map<String, Map<String, Long>> registry() throws SQLException {
    Map<String, Map<String, Long>> states = new TreeMap<>();
    String sql =
        "SELECT handler, state, count(*) FROM %s.processed_event GROUP BY handler, state"
            .formatted(schema);
    read(
        sql,
        row ->
            states
                .computeIfAbsent(row.getString(1), same -> new TreeMap<>())
                .put(row.getString(2), row.getLong(3)));
    return states;
  }

  Status.TypeGraph typeGraph() throws SQLException {
    String sql =
        """
        SELECT (SELECT count(*) FROM pipeline.node), (SELECT count(*) FROM pipeline.edge),
          (SELECT count(*) FROM pipeline.graph_change)
        """;
    List<Status.TypeGraph> found = new ArrayList<>();
    read(
        sql,
        row -> found.add(new Status.TypeGraph(row.getLong(1), row.getLong(2), row.getLong(3))));
    return found.get(0);
  }

  List<Status.Part> parts() throws SQLException {
    List<Status.Part> parts = new ArrayList<>();
    read(
        "SELECT name, state, pid, kills, since FROM pipeline.part",
        row ->
            parts.add(
                new Status.Part(
                    row.getString(1),
                    row.getString(2),
                    row.getLong(3),
                    row.getInt(4),
                    row.getTimestamp(5).toInstant().toString())));
    return parts;
  }

  private interface Row {
    void read(ResultSet row) throws SQLException;
  }

  private void read(String sql, Row each) throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        each.read(rows);
      }
    }
  }
}
