package dev.once.inbox.servlet;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.once.inbox.Delivery;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.net.URLDecoder;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Reads a delivery from a servlet request. */
final class WebhookRequest {
  private final HttpServletRequest request;
  private final List<String> path;

  WebhookRequest(HttpServletRequest request) {
    this.request = request;
    String info = Objects.requireNonNullElse(request.getPathInfo(), "");
    this.path = List.of(info.replaceFirst("^/", "").split("/"));
  }

  /** Returns the first segment of the path; empty if there is none. */
  String provider() {
    return path.isEmpty() ? "" : path.get(0);
  }

  /** Returns the delivery without its body. */
  Delivery head() {
    List<String> below = path.isEmpty() ? path : path.subList(1, path.size());
    return new Delivery(request.getMethod(), below, query(), headers(), new byte[0]);
  }

  byte[] body(int maxBytes) throws IOException {
    return request.getInputStream().readNBytes(maxBytes);
  }

  /** Parses the query itself: {@code getParameter} would consume the body of a form. */
  private Map<String, String> query() {
    Map<String, String> query = new HashMap<>();
    Arrays.stream(Objects.requireNonNullElse(request.getQueryString(), "").split("&"))
        .map(it -> it.split("=", 2))
        .forEach(it -> query.putIfAbsent(decode(it[0]), it.length < 2 ? "" : decode(it[1])));
    return query;
  }

  /** Joins several headers of one name, as HTTP defines it. */
  private Map<String, String> headers() {
    Map<String, String> headers = new HashMap<>();
    for (String name : Collections.list(request.getHeaderNames())) {
      headers.put(name, String.join(", ", Collections.list(request.getHeaders(name))));
    }
    return headers;
  }

  /**
   * Returns text that cannot be decoded unchanged: nothing is refused before the path is checked.
   */
  private static String decode(String text) {
    try {
      return URLDecoder.decode(text, UTF_8);
    } catch (IllegalArgumentException e) {
      return text;
    }
  }
}
