package dev.once.opensearch;

import dev.once.events.UnprocessableEventException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/**
 * Writes documents to the index of an alias by bulk requests. Each document has a result of its
 * own:
 *
 * <ul>
 *   <li>A version conflict is a success: the document of this event or of a later one is there.
 *   <li>If the server is overloaded or blocks writes, the document is sent again, with pauses.
 *   <li>A document that does not fit the index's mapping fails, and no other.
 * </ul>
 */
final class BulkSender {
  private static final int BAD_REQUEST = 400;
  private static final int CONFLICT = 409;
  private static final int TOO_LARGE = 413;
  private static final Pattern FIELD = Pattern.compile("field \\[([^\\]]{1,200})\\]");

  private final OpenSearchClient client;
  private final String path;
  private final Duration limit;

  /** Writes through {@code alias}; a missing alias is not created as an index. */
  BulkSender(OpenSearchClient client, String alias, Duration limit) {
    this.client = client;
    this.path = "/" + alias + "/_bulk?require_alias=true";
    this.limit = limit;
  }

  /** Returns when every write is done or has failed. */
  void send(List<BulkWrite> writes) throws InterruptedException {
    RetryTimer retries = new RetryTimer(limit);
    List<BulkWrite> open = writes;
    String reason = sendOnce(open);
    open = stillOpen(open);
    while (!open.isEmpty() && retries.pause()) {
      reason = sendOnce(open);
      open = stillOpen(open);
    }
    for (BulkWrite write : open) {
      write.fail(new SearchException("the document was not written: " + reason, null));
    }
  }

  private static List<BulkWrite> stillOpen(List<BulkWrite> writes) {
    return writes.stream().filter(BulkWrite::isOpen).toList();
  }

  /** Returns why writes are still open. */
  private String sendOnce(List<BulkWrite> writes) throws InterruptedException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    writes.forEach(it -> body.writeBytes(it.lines()));
    SearchResponse response;
    try {
      response = client.send("POST", path, body.toByteArray());
    } catch (IOException e) {
      return "no answer (" + e.getClass().getSimpleName() + ")";
    }
    if (response.isSuccess()) {
      return settle(writes, response.body().path("items"));
    }
    String answer = describe(response);
    if (!mayRetry(response)) {
      for (BulkWrite write : writes) {
        write.fail(refusal(response, writes.size(), answer));
      }
    }
    return answer;
  }

  private static RuntimeException refusal(SearchResponse response, int writes, String answer) {
    return response.status() == TOO_LARGE && writes == 1
        ? new UnprocessableEventException("its document is too large: " + answer)
        : new SearchException("a bulk request failed: " + answer, null);
  }

  private static String settle(List<BulkWrite> writes, JsonNode items) {
    if (items.size() != writes.size()) {
      return "%d results for %d documents".formatted(items.size(), writes.size());
    }
    String reason = "";
    for (int i = 0; i < writes.size(); i++) {
      JsonNode result = items.get(i).path("index");
      SearchResponse response = new SearchResponse(result.path("status").asInt(0), result);
      settle(writes.get(i), response);
      if (writes.get(i).isOpen()) {
        reason = describe(response);
      }
    }
    return reason;
  }

  private static void settle(BulkWrite write, SearchResponse response) {
    if (response.isSuccess() || response.status() == CONFLICT) {
      write.succeed();
    } else if (response.status() == BAD_REQUEST) {
      write.fail(
          new UnprocessableEventException(
              "its document does not fit the index: " + describe(response) + field(response)));
    } else if (!mayRetry(response)) {
      write.fail(new SearchException("the document was refused: " + describe(response), null));
    }
  }

  private static boolean mayRetry(SearchResponse response) {
    return response.isOverload() || response.isBlocked();
  }

  private static String describe(SearchResponse response) {
    return (response.status() + " " + response.errorType()).strip();
  }

  /** Returns the field that an error names, without its value. */
  private static String field(SearchResponse response) {
    Matcher matcher = FIELD.matcher(response.body().path("error").path("reason").asString(""));
    return matcher.find() ? ", field " + matcher.group(1) : "";
  }
}
