package dev.once.examples.pipeline;

import dev.once.effects.GraphDocumentEffect;
import dev.once.events.Event;
import java.io.IOException;
import java.net.URI;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Compares the graph store with the log. */
final class GraphSink {
  private final GraphDocumentEffect effect;

  private GraphSink(URI graph) {
    this.effect = InstanceDocuments.at(graph);
  }

  static SinkResult check(URI graph, LogContent log) throws IOException, InterruptedException {
    return new GraphSink(graph)
        .compare(new HttpJson().get(graph.resolve(GraphServer.CONTENT)), log);
  }

  private SinkResult compare(JsonNode content, LogContent log) {
    Set<JsonNode> found = new HashSet<>();
    content.path("documents").forEach(found::add);
    Set<JsonNode> expected =
        log.last(Kind.INSTANCE).stream().map(this::document).collect(Collectors.toSet());
    List<SinkResult.Change> changes =
        log.events(Kind.INSTANCE).stream()
            .map(it -> new SinkResult.Change(effect.idOf(it.aggregate()), it.sequence()))
            .toList();
    List<SinkResult.Change> journal =
        content.path("journal").valueStream().map(GraphSink::change).toList();
    return SinkResult.of(
        Role.INSTANCE_WORKER,
        "graph store",
        changes,
        journal,
        found.equals(expected),
        found.size());
  }

  private static SinkResult.Change change(JsonNode entry) {
    return new SinkResult.Change(
        entry.path("document").asString(), entry.path("sequence").asLong());
  }

  /** Returns the document that the graph store must have after an event, as it comes by HTTP. */
  private JsonNode document(Event event) {
    State state = State.of(event);
    ObjectNode document =
        JsonMapper.shared()
            .createObjectNode()
            .put("@id", effect.idOf(event.aggregate()))
            .put("@type", InstanceDocuments.TYPE);
    if (!state.isDeleted()) {
      document.setAll(InstanceDocuments.properties(state.json()));
    }
    document.put(GraphDocumentEffect.SEQUENCE, event.sequence());
    document.put(GraphDocumentEffect.DELETED, state.isDeleted());
    return JsonMapper.shared().readTree(document.toString());
  }
}
