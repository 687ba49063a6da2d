package dev.once.examples.payments;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Reads and answers requests to the simulator. */
final class Exchanges {
  private Exchanges() {}

  static String body(HttpExchange exchange) throws IOException {
    return new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
  }

  static String header(HttpExchange exchange, String name) {
    String value = exchange.getRequestHeaders().getFirst(name);
    return value == null ? "" : value;
  }

  /** Returns the segments of the path. */
  static List<String> path(HttpExchange exchange) {
    String path = exchange.getRequestURI().getPath();
    return List.of(path.substring(1).split("/", -1));
  }

  static void answer(HttpExchange exchange, int status, String json) throws IOException {
    byte[] body = json.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  /** Closes the connection without an answer. */
  static void drop(HttpExchange exchange) {
    exchange.close();
  }
}
