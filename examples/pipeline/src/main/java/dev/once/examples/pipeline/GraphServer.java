package dev.once.examples.pipeline;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * A graph store in memory, for one database. It speaks the part of TerminusDB's document API that
 * once-effects uses, because there is no server of TerminusDB that a demo could start from ordinary
 * dependencies.
 */
final class GraphServer implements Role.Running {
  static final String ORGANIZATION = "admin";
  static final String DATABASE = "plant";
  static final String PATH = "/api/document/" + ORGANIZATION + "/" + DATABASE;

  /** Not of TerminusDB: what the demo checks. */
  static final String CONTENT = "/content";

  /** Not of TerminusDB: what the page shows. */
  static final String COUNTS = "/counts";

  private static final String DATA_VERSION = "TerminusDB-Data-Version";
  private static final int THREADS = 8;
  private static final JsonMapper JSON = JsonMapper.shared();

  private final GraphDatabase database = new GraphDatabase();
  private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
  private final HttpServer server;

  GraphServer(Environment environment) throws IOException {
    this.server =
        HttpServer.create(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), environment.port()), 0);
    server.createContext(PATH, this::answer);
    server.createContext(CONTENT, it -> send(it, 200, database.content()));
    server.createContext(COUNTS, it -> send(it, 200, database.counts()));
    server.setExecutor(threads);
    server.start();
  }

  private void answer(HttpExchange exchange) throws IOException {
    Map<String, String> query = query(exchange);
    String id = query.getOrDefault("id", "");
    String version = exchange.getRequestHeaders().getFirst(DATA_VERSION);
    GraphDatabase.Answer answer;
    try {
      answer =
          switch (exchange.getRequestMethod()) {
            case "GET" -> database.find(id);
            case "POST" -> database.insert(document(exchange));
            case "PUT" -> database.replace(document(exchange), version);
            case "DELETE" -> database.delete(id, version);
            default -> GraphDatabase.Answer.error(405, "api:MethodNotAllowed");
          };
    } catch (JacksonException | ClassCastException e) {
      answer = GraphDatabase.Answer.error(400, "api:BadDocument");
    }
    exchange.getResponseHeaders().set(DATA_VERSION, answer.dataVersion());
    send(exchange, answer.status(), answer.body());
  }

  private static ObjectNode document(HttpExchange exchange) {
    return (ObjectNode) JSON.readTree(exchange.getRequestBody());
  }

  private static Map<String, String> query(HttpExchange exchange) {
    String query = exchange.getRequestURI().getRawQuery();
    return Stream.of(query == null ? new String[0] : query.split("&", -1))
        .map(it -> it.split("=", 2))
        .filter(it -> it.length == 2)
        .collect(
            Collectors.toMap(
                it -> it[0],
                it -> URLDecoder.decode(it[1], StandardCharsets.UTF_8),
                (first, second) -> first));
  }

  private static void send(HttpExchange exchange, int status, Object json) throws IOException {
    byte[] body = JSON.writeValueAsBytes(json);
    try (exchange) {
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      exchange.sendResponseHeaders(status, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  @Override
  public int port() {
    return server.getAddress().getPort();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
