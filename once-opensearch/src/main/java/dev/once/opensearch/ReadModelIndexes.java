package dev.once.opensearch;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The indexes of a read model and their aliases. The index that is used has the read model's name
 * as its alias, and one that is being built has the alias {@code <name>-building}. All writes go
 * through these aliases, so that no write creates an index, and the aliases change in one step.
 */
final class ReadModelIndexes {
  /** The first index has a fixed name: of two processes that create it, one succeeds. */
  private static final String FIRST = "0".repeat(17);

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMddHHmmssSSS").withZone(ZoneOffset.UTC);
  private static final int NOT_FOUND = 404;
  private static final String POSITION = "once_position";

  private final OpenSearchClient client;
  private final String name;
  private final ObjectNode definition;

  ReadModelIndexes(OpenSearchClient client, String name, ObjectNode definition) {
    this.client = client;
    this.name = name;
    this.definition = definition;
  }

  String buildingAlias() {
    return name + "-building";
  }

  /** Returns the index that is used. */
  Optional<String> live() throws InterruptedException {
    return holder(name);
  }

  String requireLive() throws InterruptedException {
    return live()
        .orElseThrow(
            () ->
                new SearchException(
                    "read model "
                        + name
                        + " has no index: check its name, or let its projection create it",
                    null));
  }

  /** Returns the index that is being built. */
  Optional<String> building() throws InterruptedException {
    return holder(buildingAlias());
  }

  private Optional<String> holder(String alias) throws InterruptedException {
    SearchResponse response = client.call("GET", "/_alias/" + alias, Json.EMPTY);
    if (response.status() == NOT_FOUND) {
      return Optional.empty();
    }
    var indexes = response.orThrow("looking up alias " + alias).body().propertyNames();
    if (indexes.size() > 1) {
      throw new SearchException("alias " + alias + " has several indexes: " + indexes, null);
    }
    return indexes.stream().findFirst();
  }

  void createFirst() throws InterruptedException {
    if (live().isPresent()) {
      return;
    }
    ObjectNode body = body();
    body.withObject("/aliases").set(name, liveAlias());
    SearchResponse response = create(name + "-" + FIRST, body);
    if (!response.isSuccess() && live().isEmpty()) {
      response.orThrow("creating the index of read model " + name);
    }
  }

  /** Creates an index to build. */
  String createBuilding() throws InterruptedException {
    String index = name + "-" + TIME.format(Instant.now());
    ObjectNode body = body();
    // A second index with this property is refused, so that there is one rebuild at a time.
    body.withObject("/aliases").putObject(buildingAlias()).put("is_write_index", true);
    SearchResponse response = create(index, body);
    Optional<String> building = building();
    if (!response.isSuccess() && !building.equals(Optional.of(index))) {
      response.orThrow("creating index " + index);
    }
    return index;
  }

  private SearchResponse create(String index, ObjectNode body) throws InterruptedException {
    return client.call("PUT", "/" + index, bytes(body));
  }

  private ObjectNode body() {
    ObjectNode body = definition.deepCopy();
    // Named here, because a mapping may refuse unknown fields.
    body.withObject("/mappings/properties/" + ReadModel.DELETED_FIELD).put("type", "boolean");
    return body;
  }

  private ObjectNode liveAlias() {
    ObjectNode alias = Json.MAPPER.createObjectNode().put("is_write_index", true);
    alias.withObject("/filter/bool/must_not/term").put(ReadModel.DELETED_FIELD, true);
    return alias;
  }

  /** Returns how far an index is built. */
  String position(String index) throws InterruptedException {
    return client
        .call("GET", "/" + index + "/_mapping", Json.EMPTY)
        .orThrow("reading the mapping of index " + index)
        .body()
        .path(index)
        .path("mappings")
        .path("_meta")
        .path(POSITION)
        .asString("");
  }

  /** Remembers in the index itself how far it is built. */
  void savePosition(String index, String position) throws InterruptedException {
    ObjectNode mapping = Json.MAPPER.createObjectNode();
    ObjectNode meta = mapping.putObject("_meta"); // Replaces what is there.
    definition.at("/mappings/_meta").forEachEntry(meta::set);
    meta.put(POSITION, position);
    client
        .call("PUT", "/" + index + "/_mapping", bytes(mapping))
        .orThrow("saving the position of index " + index);
  }

  /** Returns when no write is in progress and none will be accepted. */
  void blockWrites(String index) throws InterruptedException {
    client
        .call("PUT", "/" + index + "/_block/write", Json.EMPTY)
        .orThrow("blocking writes to index " + index);
  }

  void allowWrites(String index) throws InterruptedException {
    ObjectNode settings = Json.MAPPER.createObjectNode().putNull("index.blocks.write");
    client
        .call("PUT", "/" + index + "/_settings", bytes(settings))
        .orThrow("allowing writes to index " + index);
  }

  /** Makes all documents visible to searches. */
  void refresh(String index) throws InterruptedException {
    client.call("POST", "/" + index + "/_refresh", Json.EMPTY).orThrow("refreshing index " + index);
  }

  /** Uses {@code built} in place of {@code old}, in one step; fails if {@code old} is not used. */
  void replace(String old, String built) throws InterruptedException {
    ObjectNode body = Json.MAPPER.createObjectNode();
    ArrayNode actions = body.putArray("actions");
    remove(actions, old, name);
    remove(actions, built, buildingAlias());
    ObjectNode add = liveAlias().put("index", built).put("alias", name);
    actions.addObject().set("add", add);
    SearchResponse response = client.call("POST", "/_aliases", bytes(body));
    if (!response.isSuccess() && !live().equals(Optional.of(built))) {
      response.orThrow("replacing index " + old + " by " + built);
    }
  }

  private static void remove(ArrayNode actions, String index, String alias) {
    actions
        .addObject()
        .putObject("remove")
        .put("index", index)
        .put("alias", alias)
        .put("must_exist", true);
  }

  /** Returns the indexes that are neither used nor being built. */
  List<String> unused() throws InterruptedException {
    JsonNode indexes =
        client
            .call("GET", "/" + name + "-*/_alias", Json.EMPTY)
            .orThrow("listing the indexes of read model " + name)
            .body();
    Pattern ours = Pattern.compile(Pattern.quote(name) + "-\\d{17}");
    List<String> unused = new ArrayList<>();
    indexes.forEachEntry(
        (index, it) -> {
          if (ours.matcher(index).matches() && it.path("aliases").isEmpty()) {
            unused.add(index);
          }
        });
    return unused;
  }

  void delete(String index) throws InterruptedException {
    SearchResponse response = client.call("DELETE", "/" + index, Json.EMPTY);
    if (response.status() != NOT_FOUND) {
      response.orThrow("deleting index " + index);
    }
  }

  private static byte[] bytes(ObjectNode body) {
    return Json.MAPPER.writeValueAsBytes(body);
  }
}
