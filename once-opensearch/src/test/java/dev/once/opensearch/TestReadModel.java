package dev.once.opensearch;

import dev.once.events.Aggregate;
import dev.once.events.Event;
import dev.once.events.EventData;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import tools.jackson.databind.JsonNode;

/** A read model of orders with an index of its own. */
final class TestReadModel {
  static final String CHANGED = "order.changed";
  static final String DELETED = "order.deleted";
  static final String NOTED = "order.noted";

  /** Versions of deleted documents are forgotten at once; unknown fields are refused. */
  private static final String DEFINITION =
      """
      {"settings": {"number_of_replicas": 0, "number_of_shards": 2, "gc_deletes": "0s"},
       "mappings": {"dynamic": "strict", "properties": {"count": {"type": "long"}}}}
      """;

  private static final AtomicInteger NUMBER = new AtomicInteger();

  private final OpenSearchClient client = TestOpenSearch.client();
  private final ReadModel model =
      ReadModel.builder(client, "orders" + NUMBER.incrementAndGet())
          .definition(DEFINITION)
          .documentId(Aggregate::id)
          .build(TestReadModel::map);

  private TestReadModel() {}

  static TestReadModel create() throws InterruptedException {
    TestReadModel created = new TestReadModel();
    created.model.createIfAbsent();
    return created;
  }

  private static DocumentChange map(Event event) {
    return switch (event.content().type()) {
      case DELETED -> DocumentChange.delete();
      case NOTED -> DocumentChange.none();
      default -> DocumentChange.put(event.content().data());
    };
  }

  ReadModel model() {
    return model;
  }

  /** Returns an event whose document has its sequence as {@code count}. */
  static Event event(String order, long sequence) {
    return event(order, sequence, CHANGED, "{\"count\": " + sequence + "}");
  }

  static Event event(String order, long sequence, String type, String json) {
    return new Event(data(order + "-" + sequence, order, type, json), sequence, Instant.EPOCH);
  }

  static EventData data(String id, String order, String type, String json) {
    return EventData.of(id, new Aggregate("order", order), type, json);
  }

  static List<Event> events(String order, long last) {
    return LongStream.rangeClosed(1, last).mapToObj(it -> event(order, it)).toList();
  }

  /** Returns a stored document, or the tombstone in its place. */
  Optional<JsonNode> document(String id) throws InterruptedException {
    JsonNode found = call("GET", "/" + model.name() + "/_doc/" + id, "");
    return found.path("found").asBoolean(false) ? Optional.of(found) : Optional.empty();
  }

  /** Returns the ids that a search finds, in their order. */
  List<String> search() throws InterruptedException {
    JsonNode unused = call("POST", "/" + model.name() + "/_refresh", "");
    JsonNode hits = call("GET", "/" + model.name() + "/_search?size=1000", "").at("/hits/hits");
    List<String> ids = new ArrayList<>();
    hits.forEach(it -> ids.add(it.path("_id").asString()));
    return ids.stream().sorted().toList();
  }

  JsonNode call(String method, String path, String body) throws InterruptedException {
    return client.call(method, path, body.getBytes(StandardCharsets.UTF_8)).body();
  }
}
