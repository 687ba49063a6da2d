package dev.once.inbox;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * One request of a provider, as it came over HTTP. Nothing in it is to be trusted yet.
 *
 * @param method the HTTP method, in capitals
 * @param path what comes after {@code /webhooks/{provider}} in the path, segment by segment
 * @param query the parameters of the query
 * @param headers the headers, by their names in lower case
 * @param body the bytes as they came: signatures are over these. Shared, not copied
 */
public record Delivery(
    String method,
    List<String> path,
    Map<String, String> query,
    Map<String, String> headers,
    byte[] body) {

  Optional<String> header(String name) {
    return Optional.ofNullable(headers.get(name.toLowerCase(Locale.ROOT)));
  }

  /** Shows no more than the method and the size. */
  @Override
  public String toString() {
    return "Delivery[" + method + ", " + body.length + " bytes]";
  }
}
