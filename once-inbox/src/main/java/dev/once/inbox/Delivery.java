package dev.once.inbox;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * One HTTP request of a provider. Nothing in it is trusted yet.
 *
 * @param method the HTTP method, in capitals
 * @param path the segments of the path after {@code /webhooks/{provider}}
 * @param query the parameters of the query
 * @param headers the headers by name; names are compared in lower case
 * @param body the bytes as they were received: signatures cover these. Shared, not copied
 */
@SuppressWarnings("ArrayRecordComponent") // passed from the request to the inbox, never compared
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

  /** Returns the value of a header, whose name is compared without regard to case. */
  public Optional<String> header(String name) {
    return Optional.ofNullable(headers.get(name.toLowerCase(Locale.ROOT)));
  }

  /**
   * Returns the media type of the body without parameters, in lower case; empty if there is none.
   */
  public String mediaType() {
    String type = header("content-type").orElse("");
    int parameters = type.indexOf(';');
    return (parameters < 0 ? type : type.substring(0, parameters)).strip().toLowerCase(Locale.ROOT);
  }

  /** Returns the size of the body as the sender announced it; 0 if it did not announce one. */
  long announcedBytes() {
    try {
      return Long.parseLong(header("content-length").orElse("0"));
    } catch (NumberFormatException e) {
      return 0; // The size is checked again when the body is read.
    }
  }

  /** Returns the same delivery with this JSON as its body. */
  Delivery withJson(byte[] json) {
    Map<String, String> typed = new HashMap<>(headers);
    typed.put("content-type", "application/json");
    return new Delivery(method, path, query, typed, json);
  }

  Delivery withBody(byte[] bytes) {
    return new Delivery(method, path, query, headers, bytes);
  }

  /** Returns the same delivery without the first segment of its path. */
  Delivery below() {
    return new Delivery(method, path.subList(1, path.size()), query, headers, body);
  }

  private static Map<String, String> lowerCase(Map<String, String> headers) {
    Map<String, String> lower = new HashMap<>();
    headers.forEach((name, value) -> lower.put(name.toLowerCase(Locale.ROOT), value));
    return Map.copyOf(lower);
  }

  /** Shows only the method and the size. */
  @Override
  public String toString() {
    return "Delivery[" + method + ", " + body.length + " bytes]";
  }
}
