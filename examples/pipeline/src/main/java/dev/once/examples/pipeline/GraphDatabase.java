package dev.once.examples.pipeline;

import dev.once.effects.GraphDocumentEffect;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The documents of the graph server, and a journal of every write that it accepted. A write of the
 * same document again would be one more entry.
 */
final class GraphDatabase {
  private static final JsonMapper JSON = JsonMapper.shared();

  private final Map<String, ObjectNode> documents = new TreeMap<>();
  private final List<Change> journal = new ArrayList<>();
  private int refused;

  /** A write of a document. */
  record Change(String document, long sequence) {}

  /** All documents, and all writes in their order. */
  record Content(List<JsonNode> documents, List<Change> journal) {}

  /** The answer to a request. */
  record Answer(int status, String dataVersion, JsonNode body) {
    static Answer error(int status, String type) {
      ObjectNode body = JSON.createObjectNode().put("api:status", "api:failure");
      body.putObject("api:error").put("@type", type);
      return new Answer(status, "", body);
    }
  }

  synchronized Answer find(String id) {
    ObjectNode found = documents.get(id);
    return found == null
        ? Answer.error(404, "api:DocumentNotFound")
        : new Answer(200, version(), found);
  }

  synchronized Answer insert(ObjectNode document) {
    if (documents.containsKey(idOf(document))) {
      refused++;
      return Answer.error(400, "api:DocumentIdAlreadyExists");
    }
    return write(document);
  }

  /** Replaces a document if nothing was written since {@code version}. */
  synchronized Answer replace(ObjectNode document, @Nullable String version) {
    if (!isCurrent(version)) {
      return Answer.error(400, "api:DataVersionMismatch");
    }
    return documents.containsKey(idOf(document))
        ? write(document)
        : Answer.error(404, "api:DocumentNotFound");
  }

  synchronized Answer delete(String id, @Nullable String version) {
    if (!isCurrent(version)) {
      return Answer.error(400, "api:DataVersionMismatch");
    }
    if (documents.remove(id) == null) {
      return Answer.error(404, "api:DocumentNotFound");
    }
    journal.add(new Change(id, 0));
    return new Answer(200, version(), JSON.createArrayNode());
  }

  synchronized Content content() {
    return new Content(List.copyOf(documents.values()), List.copyOf(journal));
  }

  synchronized Map<String, Integer> counts() {
    long live =
        documents.values().stream()
            .filter(it -> !it.path(GraphDocumentEffect.DELETED).asBoolean(false))
            .count();
    return Map.of("documents", (int) live, "changes", journal.size(), "refused", refused);
  }

  private Answer write(ObjectNode document) {
    String id = idOf(document);
    documents.put(id, document);
    journal.add(new Change(id, document.path(GraphDocumentEffect.SEQUENCE).asLong(0)));
    return new Answer(200, version(), JSON.createArrayNode().add("terminusdb:///data/" + id));
  }

  private boolean isCurrent(@Nullable String version) {
    boolean isCurrent = version == null || version.equals(version());
    refused += isCurrent ? 0 : 1;
    return isCurrent;
  }

  private String version() {
    return "branch:" + journal.size();
  }

  private static String idOf(ObjectNode document) {
    return document.path("@id").asString();
  }
}
