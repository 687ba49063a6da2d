package dev.once.opensearch;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Answers requests as a test says, for failures that a real server does not produce on demand, and
 * otherwise that every document was written.
 */
final class ScriptedServer implements AutoCloseable {
  private final HttpServer server;
  private final Queue<Answer> answers = new ConcurrentLinkedQueue<>();
  private final List<String> requests = new CopyOnWriteArrayList<>();

  private record Answer(int status, String body) {}

  ScriptedServer() throws IOException {
    this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          String request =
              new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
          requests.add(request);
          Answer next = answers.poll();
          Answer answer = next == null ? successes(ids(request).size()) : next;
          byte[] body = answer.body.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(answer.status, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
  }

  /** Adds the answer to a later request. */
  ScriptedServer answer(int status, String body) {
    answers.add(new Answer(status, body));
    return this;
  }

  /** Adds an answer with a status for each document of a bulk request. */
  ScriptedServer answerBulk(int... statuses) {
    answers.add(bulk(IntStream.of(statuses)));
    return this;
  }

  private static Answer successes(int documents) {
    return bulk(IntStream.generate(() -> 200).limit(documents));
  }

  private static Answer bulk(IntStream statuses) {
    ObjectNode body = Json.MAPPER.createObjectNode();
    ArrayNode items = body.putArray("items");
    statuses.forEach(it -> items.addObject().putObject("index").put("status", it));
    return new Answer(200, body.toString());
  }

  /** Returns the ids of the documents in each bulk request. */
  List<List<String>> ids() {
    return requests.stream().map(ScriptedServer::ids).toList();
  }

  private static List<String> ids(String request) {
    return request
        .lines()
        .map(line -> Json.MAPPER.readTree(line).at("/index/_id").asString(""))
        .filter(id -> !id.isEmpty())
        .toList();
  }

  OpenSearchClient client() {
    return OpenSearchClient.at(URI.create("http://127.0.0.1:" + server.getAddress().getPort()));
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
