package dev.once.effects;

import dev.once.effects.TestHttpServer.Request;
import dev.once.effects.TestHttpServer.Response;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/**
 * Speaks the part of TerminusDB's document API that {@link TerminusGraphStore} uses, for one
 * database. The data version is that of the whole database, and a write compares it in the same
 * step: there is no better server to be had for tests.
 */
final class GraphServer implements AutoCloseable {
  private static final String PATH = "/api/document/admin/plant";
  static final String PASSWORD = "secret-of-the-graph";
  private static final String CREDENTIALS =
      Base64.getEncoder().encodeToString(("admin:" + PASSWORD).getBytes(StandardCharsets.UTF_8));

  private final TestHttpServer server = new TestHttpServer(this::answer);

  // Guarded by this.
  private final Map<String, ObjectNode> documents = new HashMap<>();
  private final List<String> commits = new ArrayList<>();
  private final List<Request> requests = new ArrayList<>();

  TestHttpServer http() {
    return server;
  }

  TerminusGraphStore store() {
    return TerminusGraphStore.at(server.address(), "admin", "plant").withBasic("admin", PASSWORD);
  }

  synchronized Optional<ObjectNode> document(String id) {
    return Optional.ofNullable(documents.get(id)).map(ObjectNode::deepCopy);
  }

  /** Returns the writes, each as the id of a document and its sequence. */
  synchronized List<String> commits() {
    return List.copyOf(commits);
  }

  synchronized List<Request> requests() {
    return List.copyOf(requests);
  }

  private synchronized Response answer(Request request) {
    requests.add(request);
    if (!request.header("authorization").equals(Optional.of("Basic " + CREDENTIALS))) {
      return error(401, "api:IncorrectAuthenticationError");
    }
    if (!request.path().equals(PATH)) {
      return error(404, "api:UnknownDatabase");
    }
    if (!request.method().equals("GET") && lacksCommitInfo(request)) {
      return error(400, "api:MissingParameter");
    }
    Optional<String> version = request.header("terminusdb-data-version");
    if (version.isPresent() && !version.get().equals(version())) {
      return error(400, "api:DataVersionMismatch");
    }
    return switch (request.method()) {
      case "GET" -> find(id(request));
      case "POST" -> insert(document(request));
      case "PUT" -> replace(document(request), request.query().getOrDefault("create", "false"));
      case "DELETE" -> delete(id(request));
      default -> Response.of(405);
    };
  }

  private Response find(String id) {
    ObjectNode found = documents.get(id);
    return found == null ? error(404, "api:DocumentNotFound") : success(200, found + "\n");
  }

  private Response insert(ObjectNode document) {
    String id = document.path("@id").asString();
    return documents.containsKey(id)
        ? error(400, "api:DocumentIdAlreadyExists")
        : write(id, document);
  }

  private Response replace(ObjectNode document, String create) {
    String id = document.path("@id").asString();
    return documents.containsKey(id) || create.equals("true")
        ? write(id, document)
        : error(404, "api:DocumentNotFound");
  }

  private Response write(String id, ObjectNode document) {
    if (!id.startsWith(document.path("@type").asString("?") + "/")) {
      return error(400, "api:SubmittedDocumentIdDoesNotHaveExpectedPrefix");
    }
    documents.put(id, document);
    commits.add(id + " " + document.path(GraphDocumentEffect.SEQUENCE).asString());
    return success(200, "[\"terminusdb:///data/" + id + "\"]\n");
  }

  private Response delete(String id) {
    if (documents.remove(id) == null) {
      return error(404, "api:DocumentNotFound");
    }
    commits.add(id + " deleted");
    return success(200, "");
  }

  private String version() {
    return "branch:" + commits.size();
  }

  private Response success(int status, String body) {
    return new Response(status, Map.of("TerminusDB-Data-Version", version()), body);
  }

  /** The message quotes data, as those of the product may do. */
  private static Response error(int status, String type) {
    ObjectNode body =
        Json.MAPPER
            .createObjectNode()
            .put("api:message", "quoted-data")
            .put("api:status", "api:failure");
    body.putObject("api:error").put("@type", type);
    return new Response(status, Map.of(), body.toString());
  }

  private static boolean lacksCommitInfo(Request request) {
    return request.query().getOrDefault("author", "").isEmpty()
        || request.query().getOrDefault("message", "").isEmpty();
  }

  private static String id(Request request) {
    return request.query().getOrDefault("id", "");
  }

  private static ObjectNode document(Request request) {
    return Json.object(request.body()).orElseThrow();
  }

  @Override
  public void close() {
    server.close();
  }
}
