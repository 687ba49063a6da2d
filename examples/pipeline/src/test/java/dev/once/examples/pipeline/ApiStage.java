package dev.once.examples.pipeline;

import com.zaxxer.hikari.HikariDataSource;
import dev.once.embedded.EmbeddedPostgres;
import dev.once.events.Aggregate;
import dev.once.events.Event;
import dev.once.s3.S3EventStore;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.postgresql.ds.PGSimpleDataSource;
import software.amazon.awssdk.services.s3.S3Client;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The API with its storage and its database; the sinks of the pipeline are not there. */
final class ApiStage implements AutoCloseable {
  private static final URI NOWHERE = URI.create("http://127.0.0.1:1");

  private final HttpClient http = HttpClient.newHttpClient();
  private final ObjectStorage storage;
  private final HikariDataSource database;
  private final S3Client s3;
  private final S3EventStore store;
  private final Api api;

  ApiStage(Path folder) throws Exception {
    Logs.configure("test");
    PGSimpleDataSource server = EmbeddedPostgres.shared().newDatabase("api");
    Map<String, String> variables = new HashMap<>();
    variables.put(Environment.DATA_FOLDER, folder.toString());
    variables.put(Environment.ACCESS_KEY, "test");
    variables.put(Environment.SECRET_KEY, "test-secret-key");
    variables.put(Environment.DATABASE_URL, String.valueOf(server.getURL()));
    variables.put(Environment.DATABASE_USER, String.valueOf(server.getUser()));
    variables.put(Environment.DATABASE_PASSWORD, String.valueOf(server.getPassword()));
    variables.put(Environment.SEARCH, NOWHERE.toString());
    variables.put(Environment.GRAPH, NOWHERE.toString());
    this.storage = new ObjectStorage(new Environment(variables));
    variables.put(Environment.S3_ENDPOINT, "http://127.0.0.1:" + storage.port());
    Environment environment = new Environment(variables);
    this.database = environment.openDatabase();
    this.s3 = environment.openS3();
    this.store = environment.store(s3, database);
    this.api = new Api(environment);
  }

  /** An answer of the API. */
  record Answer(int status, String body, HttpResponse<String> response) {
    JsonNode json() {
      return JsonMapper.shared().readTree(body);
    }

    String code() {
      return json().path("code").asString("");
    }

    boolean isReplayed() {
      return response.headers().firstValue(CommandServlet.REPLAYED_HEADER).isPresent();
    }
  }

  URI url(String path) {
    return URI.create("http://127.0.0.1:" + api.port() + path);
  }

  /** Sends JSON, under an id if it is not empty. */
  Answer send(String method, String path, String eventId, String json) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(url(path))
            .header("Content-Type", "application/json")
            .method(method, BodyPublishers.ofString(json));
    if (!eventId.isEmpty()) {
      request.header(CommandReader.KEY_HEADER, eventId);
    }
    return send(request.build());
  }

  Answer post(String eventId, String json) throws Exception {
    return send("POST", "/v1/instances", eventId, json);
  }

  Answer put(String id, String eventId, String json) throws Exception {
    return send("PUT", "/v1/instances/" + encode(id), eventId, json);
  }

  Answer delete(String id, String eventId, String query) throws Exception {
    return send("DELETE", "/v1/instances/" + encode(id) + query, eventId, "");
  }

  Answer get(String path) throws Exception {
    return send(HttpRequest.newBuilder(url(path)).build());
  }

  Answer send(HttpRequest request) throws IOException, InterruptedException {
    HttpResponse<String> response = http.send(request, BodyHandlers.ofString());
    return new Answer(response.statusCode(), response.body(), response);
  }

  /** Returns the events of an instance. */
  List<Event> events(String id) {
    return store.read(new Aggregate("instance", id), 0, 100);
  }

  private static String encode(String id) {
    return URLEncoder.encode(id, StandardCharsets.UTF_8).replace("+", "%20");
  }

  @Override
  public void close() throws IOException {
    api.close();
    s3.close();
    database.close();
    storage.close();
  }
}
