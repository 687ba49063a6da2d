package dev.once.examples.pipeline;

import dev.once.effects.GraphDocumentEffect;
import dev.once.events.Aggregate;
import java.io.IOException;
import java.net.URI;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What the workers have done to the graph store, the graph in PostgreSQL and the search index. */
record Sinks(URI graph, URI search, DataSource database, HttpJson http) {
  private static final String NAME = "SELECT name FROM pipeline.node WHERE kind = ? AND id = ?";
  private static final String CHANGES =
      "SELECT sequence FROM pipeline.graph_change WHERE kind = ? AND id = ? ORDER BY changed_at";

  /** Returns the sequences that were written to the document of an instance, in their order. */
  List<Long> graphChanges(String id) throws IOException, InterruptedException {
    String document = documentId(id);
    return graphContent()
        .path("journal")
        .valueStream()
        .filter(it -> it.path("document").asString().equals(document))
        .map(it -> it.path("sequence").asLong())
        .toList();
  }

  /** Returns the document of an instance in the graph store. */
  JsonNode graphDocument(String id) throws IOException, InterruptedException {
    String document = documentId(id);
    return graphContent()
        .path("documents")
        .valueStream()
        .filter(it -> it.path("@id").asString().equals(document))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no document of " + id));
  }

  private JsonNode graphContent() throws IOException, InterruptedException {
    return http.get(graph.resolve(GraphServer.CONTENT));
  }

  /** Returns the id of an instance's document in the graph store. */
  String documentId(String id) {
    GraphDocumentEffect effect = InstanceDocuments.at(graph);
    return effect.idOf(new Aggregate(Kind.INSTANCE.text(), id));
  }

  /** Returns the sequences that were written to a node in PostgreSQL, in their order. */
  List<Long> nodeChanges(Kind kind, String id) throws SQLException {
    List<Long> sequences = new ArrayList<>();
    try (Connection connection = database.getConnection();
        PreparedStatement statement = connection.prepareStatement(CHANGES)) {
      statement.setString(1, kind.text());
      statement.setString(2, id);
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          sequences.add(rows.getLong(1));
        }
      }
    }
    return sequences;
  }

  List<Long> nodeChanges(String id) throws SQLException {
    return nodeChanges(Kind.INSTANCE, id);
  }

  /** Returns the name of an instance in PostgreSQL. */
  String nodeName(String id) throws SQLException {
    try (Connection connection = database.getConnection();
        PreparedStatement statement = connection.prepareStatement(NAME)) {
      statement.setString(1, Kind.INSTANCE.text());
      statement.setString(2, id);
      try (ResultSet rows = statement.executeQuery()) {
        return rows.next() ? rows.getString(1) : "";
      }
    }
  }

  /** Returns the hit of an instance in the search index: its version and its source, if found. */
  JsonNode searchDocument(String id) throws IOException, InterruptedException {
    String key = new Aggregate(Kind.INSTANCE.text(), id).key();
    String body = JsonMapper.shared().writeValueAsString(Map.of("ids", List.of(key)));
    URI address = search.resolve("/" + InstanceReadModel.NAME + "/_mget");
    return http.post(address, body).path("docs").path(0);
  }

  /** Returns the version of an instance in the search index; 0 if it is not there. */
  long searchVersion(String id) throws IOException, InterruptedException {
    return searchDocument(id).path("_version").asLong(0);
  }

  /** Returns how many writes the index has accepted; it refuses a version that it has. */
  long searchWrites() throws IOException, InterruptedException {
    return http.get(search.resolve("/" + InstanceReadModel.NAME + "/_stats/indexing"))
        .at("/_all/primaries/indexing/index_total")
        .asLong(0);
  }
}
