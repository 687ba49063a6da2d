package dev.once.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CopyOnWriteArrayList;

/** A server that executes a request once per key, and answers it first as a test says. */
final class KeyedServer implements AutoCloseable {
  private final HttpServer server;
  private final Map<String, String> effects = new HashMap<>();
  private final Queue<Failure> failures = new ArrayDeque<>();
  final List<Received> requests = new CopyOnWriteArrayList<>();

  /** A request as it arrived. */
  record Received(String method, String key, String authorization, String type, String body) {}

  private record Failure(int status, String body) {}

  KeyedServer() {
    this(0);
  }

  KeyedServer(int port) {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 50);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.createContext("/", this::handle);
    server.start();
  }

  int port() {
    return server.getAddress().getPort();
  }

  String url() {
    return "http://127.0.0.1:" + port() + "/users";
  }

  /** Answers the next request that no other failure is for. */
  synchronized void fail(int status, String body) {
    failures.add(new Failure(status, body));
  }

  synchronized Map<String, String> effects() {
    return Map.copyOf(effects);
  }

  private synchronized void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      String key = header(exchange, "Idempotency-Key");
      String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      requests.add(
          new Received(
              exchange.getRequestMethod(),
              key,
              header(exchange, "Authorization"),
              header(exchange, "Content-Type"),
              body));
      Failure failure = failures.poll();
      if (failure != null) {
        answer(exchange, failure.status(), failure.body());
        return;
      }
      if (effects.putIfAbsent(key, body) != null) {
        exchange.getResponseHeaders().add("Idempotency-Replayed", "true");
      }
      answer(exchange, 201, "{\"id\":%d}".formatted(effects.size()));
    }
  }

  private static String header(HttpExchange exchange, String name) {
    String value = exchange.getRequestHeaders().getFirst(name);
    return value == null ? "" : value;
  }

  private static void answer(HttpExchange exchange, int status, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().add("Content-Type", "application/json");
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
