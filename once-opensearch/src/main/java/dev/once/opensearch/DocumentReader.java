package dev.once.opensearch;

import dev.once.opensearch.LogFold.Digest;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Reads documents and tombstones of an index. */
record DocumentReader(OpenSearchClient client, String index) {
  private static final int PAGE = 500;
  private static final String KEEP_ALIVE = "2m";

  /** Reads all documents as they are now, a page at a time. */
  void scan(Consumer<Map<String, Digest>> pages) throws InterruptedException {
    ObjectNode search = Json.MAPPER.createObjectNode().put("size", PAGE).put("version", true);
    search.putArray("sort").add("_doc"); // The order of the index costs nothing.
    JsonNode page = post("/" + index + "/_search?scroll=" + KEEP_ALIVE, search);
    String scroll = page.path("_scroll_id").asString("");
    try {
      while (!page.at("/hits/hits").isEmpty()) {
        pages.accept(digests(page.at("/hits/hits")));
        ObjectNode next = Json.MAPPER.createObjectNode();
        next.put("scroll", KEEP_ALIVE).put("scroll_id", scroll);
        page = post("/_search/scroll", next);
        scroll = page.path("_scroll_id").asString(scroll);
      }
    } finally {
      ObjectNode end = Json.MAPPER.createObjectNode().put("scroll_id", scroll);
      // If this fails, the server ends the search after the time to keep it alive.
      SearchResponse unused =
          client.call("DELETE", "/_search/scroll", Json.MAPPER.writeValueAsBytes(end));
    }
  }

  /** Returns the documents with these ids, as they were last written. */
  Map<String, Digest> find(Collection<String> ids) throws InterruptedException {
    ObjectNode request = Json.MAPPER.createObjectNode();
    ids.forEach(request.putArray("ids")::add);
    return digests(post("/" + index + "/_mget", request).path("docs"));
  }

  private JsonNode post(String path, ObjectNode body) throws InterruptedException {
    return client
        .call("POST", path, Json.MAPPER.writeValueAsBytes(body))
        .orThrow("reading index " + index)
        .body();
  }

  private static Map<String, Digest> digests(JsonNode hits) {
    Map<String, Digest> digests = new HashMap<>();
    for (JsonNode hit : hits) {
      JsonNode source = hit.path("_source");
      if (!source.isMissingNode()) {
        digests.put(
            hit.path("_id").stringValue(),
            Digest.of(hit.path("_version").asLong(), Json.MAPPER.writeValueAsString(source)));
      }
    }
    return digests;
  }
}
