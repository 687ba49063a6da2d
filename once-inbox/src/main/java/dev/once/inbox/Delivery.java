package dev.once.inbox;

import java.util.HashMap;
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
 * @param headers the headers by their names, which count in lower case
 * @param body the bytes as they came: signatures are over these. Shared, not copied
 */
@SuppressWarnings("ArrayRecordComponent") // carried from the request to the inbox, never compared
public record Delivery(
    String method,
    List<String> path,
    Map<String, String> query,
    Map<String, String> headers,
    byte[] body) {
  public Delivery {
    path = List.copyOf(path);
    query = Map.copyOf(query);
    headers = lowerCase(headers);
  }

  Optional<String> header(String name) {
    return Optional.ofNullable(headers.get(name.toLowerCase(Locale.ROOT)));
  }

  /** The type of the body: without its parameters, in lower case; empty if there is none. */
  String mediaType() {
    String type = header("content-type").orElse("");
    int parameters = type.indexOf(';');
    return (parameters < 0 ? type : type.substring(0, parameters)).strip().toLowerCase(Locale.ROOT);
  }

  Delivery withBody(byte[] bytes) {
    return new Delivery(method, path, query, headers, bytes);
  }

  /** The same delivery, without the first segment of its path. */
  Delivery below() {
    return new Delivery(method, path.subList(1, path.size()), query, headers, body);
  }

  private static Map<String, String> lowerCase(Map<String, String> headers) {
    Map<String, String> lower = new HashMap<>();
    headers.forEach((name, value) -> lower.put(name.toLowerCase(Locale.ROOT), value));
    return Map.copyOf(lower);
  }

  /** Shows no more than the method and the size. */
  @Override
  public String toString() {
    return "Delivery[" + method + ", " + body.length + " bytes]";
  }
}
