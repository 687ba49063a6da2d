package dev.once.opensearch;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/** The answer to a request; its body is missing if it is not JSON. */
record SearchResponse(int status, JsonNode body) {
  private static final int FORBIDDEN = 403;
  private static final int TOO_MANY_REQUESTS = 429;

  static SearchResponse of(int status, byte[] body) {
    try {
      return new SearchResponse(status, Json.MAPPER.readTree(body));
    } catch (JacksonException e) { // From a proxy.
      return new SearchResponse(status, MissingNode.getInstance());
    }
  }

  boolean isSuccess() {
    return status >= 200 && status < 300;
  }

  /** Returns whether the same request may succeed later. */
  boolean isOverload() {
    return status == TOO_MANY_REQUESTS || status >= 500;
  }

  /** Returns whether writes are blocked, as they are for a moment at the end of a rebuild. */
  boolean isBlocked() {
    return status == FORBIDDEN && errorType().equals("cluster_block_exception");
  }

  /**
   * Returns the type of the error, such as {@code index_not_found_exception}. Its reason is not
   * used: it may quote the document.
   */
  String errorType() {
    return body.path("error").path("type").asString("");
  }

  /** Returns this if the request succeeded. */
  SearchResponse orThrow(String what) {
    if (isSuccess()) {
      return this;
    }
    throw new SearchException(
        "%s failed: OpenSearch answered %d %s".formatted(what, status, errorType()).strip(), null);
  }
}
