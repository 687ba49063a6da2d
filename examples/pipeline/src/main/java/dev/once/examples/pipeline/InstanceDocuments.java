package dev.once.examples.pipeline;

import dev.once.effects.GraphDocumentEffect;
import dev.once.effects.StateChange;
import dev.once.effects.TerminusGraphStore;
import dev.once.events.Event;
import java.net.URI;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The documents of instances in the graph store. */
final class InstanceDocuments {
  static final String TYPE = "Instance";

  private InstanceDocuments() {}

  static GraphDocumentEffect at(URI graph) {
    TerminusGraphStore store =
        TerminusGraphStore.at(graph, GraphServer.ORGANIZATION, GraphServer.DATABASE)
            .withAuthor(Role.INSTANCE_WORKER.text());
    return GraphDocumentEffect.of(store, TYPE, InstanceDocuments::map);
  }

  private static StateChange map(Event event) {
    State state = State.of(event);
    return state.isDeleted()
        ? StateChange.delete()
        : StateChange.put(properties(state.json()).toString());
  }

  /** Returns the properties of a document: its class has a fixed set, and one for all others. */
  static ObjectNode properties(ObjectNode state) {
    ObjectNode properties = JsonMapper.shared().createObjectNode();
    for (String member : new String[] {"id", State.TYPE, State.NAME}) {
      properties.put(member, state.path(member).asString(""));
    }
    return properties.put("state", state.toString());
  }
}
