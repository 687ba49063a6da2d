package dev.once.examples.pipeline;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * The state of the whole system at one moment, as it is sent.
 *
 * @param unreachable the parts that did not answer; what they would tell is empty
 */
record Status(
    Log log,
    Relay relay,
    List<Consumer> consumers,
    @JsonProperty("read_model") ReadModel readModel,
    Graph graph,
    @JsonProperty("type_graph") TypeGraph typeGraph,
    List<Part> parts,
    List<String> unreachable) {

  record Log(long events, long instances, long ontologies, List<Entry> newest) {
    static final Log EMPTY = new Log(0, 0, 0, List.of());
  }

  record Entry(
      String time,
      String type,
      String id,
      long seq,
      @JsonProperty("event_id") String eventId,
      String name) {}

  /**
   * How far the log is published.
   *
   * @param lag the events of the log that are not
   */
  record Relay(long published, long lag, String position, long fence) {
    static final Relay EMPTY = new Relay(0, 0, "", 0);
  }

  /**
   * What the registry says about a handler.
   *
   * @param lag the events of its topics that it has not settled
   * @param states the number of events in each state
   */
  record Consumer(String handler, long settled, long lag, Map<String, Long> states) {}

  record ReadModel(long documents, List<JsonNode> newest) {
    static final ReadModel EMPTY = new ReadModel(0, List.of());
  }

  /**
   * The graph store.
   *
   * @param refused writes under an old data version
   */
  record Graph(long documents, long changes, long refused) {
    static final Graph EMPTY = new Graph(0, 0, 0);
  }

  record TypeGraph(long nodes, long edges, long changes) {
    static final TypeGraph EMPTY = new TypeGraph(0, 0, 0);
  }

  record Part(String name, String state, long pid, int kills, String since) {}

  /** Returns whether the log has this many events and every consumer has settled its own. */
  boolean isCaughtUp(long events) {
    return unreachable.isEmpty()
        && log.events() >= events
        && consumers.stream().allMatch(it -> it.lag() == 0);
  }

  /** Returns what the registry says about a handler. */
  Consumer consumer(Role role) {
    return consumers.stream()
        .filter(it -> it.handler().equals(role.text()))
        .findFirst()
        .orElse(new Consumer(role.text(), 0, 0, Map.of()));
  }
}
