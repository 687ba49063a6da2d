package dev.once.examples.pipeline;

import dev.once.events.Event;
import dev.once.events.UnprocessableEventException;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The state of an aggregate after an event.
 *
 * @param isDeleted whether the event deletes it; then the state has an id only
 */
record State(boolean isDeleted, ObjectNode json) {
  static final String TYPE = "type";
  static final String NAME = "name";
  static final String PARENT = "parent";

  private static final JsonMapper JSON = JsonMapper.shared();

  /**
   * Reads the state in an event.
   *
   * @throws UnprocessableEventException if it has none, or is of a type that this pipeline does not
   *     know
   */
  static State of(Event event) {
    Kind kind = Kind.of(event);
    try {
      if (JSON.readTree(event.content().data()) instanceof ObjectNode object) {
        return new State(event.content().type().equals(kind.deleted()), object);
      }
    } catch (JacksonException e) { // Not as a cause: its message quotes the data.
      throw new UnprocessableEventException("its data is not JSON");
    }
    throw new UnprocessableEventException("its data is not a JSON object");
  }

  String name() {
    return json.path(NAME).asString("");
  }

  /** Returns its relations and where they lead: an instance to its type, a type to its parent. */
  Map<String, String> edges() {
    Map<String, String> edges = new TreeMap<>();
    add(edges, "is_a", TYPE);
    add(edges, "subtype_of", PARENT);
    return edges;
  }

  private void add(Map<String, String> edges, String relation, String member) {
    String to = json.path(member).asString("");
    if (!isDeleted && !to.isEmpty()) {
      edges.put(relation, to);
    }
  }
}
