package dev.once.opensearch;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import tools.jackson.databind.node.ObjectNode;

/**
 * A document to write, or its tombstone.
 *
 * @param version the sequence of its event
 * @param json on one line
 */
record Document(String id, long version, String json) {
  /**
   * Returns the two lines of a bulk request. The server refuses a version that is not higher than
   * that of the document it has. With {@code external_gte} it would accept an equal version, so
   * that a duplicate took effect again.
   */
  byte[] bulkLines() {
    ObjectNode action = Json.MAPPER.createObjectNode();
    action
        .putObject("index")
        .put("_id", id)
        .put("version", version)
        .put("version_type", "external");
    ByteArrayOutputStream lines = new ByteArrayOutputStream();
    lines.writeBytes(Json.MAPPER.writeValueAsBytes(action));
    lines.write('\n');
    lines.writeBytes(json.getBytes(StandardCharsets.UTF_8));
    lines.write('\n');
    return lines.toByteArray();
  }

  /** Does not show the document. */
  @Override
  public String toString() {
    return "version " + version + " of a document";
  }
}
