package dev.once.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The planning service in a JVM and on a database of its own, and its client: creates missions in
 * one project, repeats such requests, and checks every response. Thread-safe once it is open.
 */
final class PlanningService implements Closeable {
  /** Enough keys that concurrent callers rarely replay the same one. */
  private static final int MAX_KEPT_KEYS = 10_000;

  /** One to query the tables, and one to vacuum them. */
  private static final int OWN_CONNECTIONS = 2;

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String MISSION =
      """
      {"title":"Inspect the northern line","starts_at":"2030-01-01T08:00:00Z",\
      "ends_at":"2030-01-01T16:00:00Z"}""";

  private final BenchDatabase database;
  private final HttpService service;
  private final String token = Sample.newKey();
  private final String operatorToken = Sample.newKey();
  private final List<String> keys = Collections.synchronizedList(new ArrayList<>());
  private String missions = "";

  /** Starts the service without waiting for it. */
  PlanningService(Session session, String... variant) throws IOException {
    Settings settings = session.settings();
    this.database =
        new BenchDatabase(session.servers().postgres().newDatabase("http"), OWN_CONNECTIONS);
    int port = JavaProcess.freePort();
    List<String> arguments = new ArrayList<>(List.of("-jar", jar(settings.service()).toString()));
    arguments.addAll(List.of(variant));
    arguments.addAll(
        List.of(
            "--server.port=" + port,
            "--spring.profiles.active=bench",
            "--spring.datasource.hikari.maximum-pool-size=" + settings.connections(),
            "--logging.level.root=warn",
            // Callers keep their connections while other variants are measured.
            "--server.tomcat.max-keep-alive-requests=-1",
            "--server.tomcat.keep-alive-timeout=1h"));
    this.service = new HttpService(port, JavaProcess.start(arguments, database.toEnvironment()));
  }

  /** Returns the jar at {@code place}, or the only jar of the service if that is a folder. */
  static Path jar(Path place) throws IOException {
    if (Files.isRegularFile(place)) {
      return place;
    }
    List<Path> found = new ArrayList<>();
    if (Files.isDirectory(place)) {
      try (DirectoryStream<Path> jars = Files.newDirectoryStream(place, "planning-*.jar")) {
        jars.forEach(found::add);
      }
    }
    if (found.size() != 1) {
      throw new IllegalArgumentException(
          "there must be one planning-*.jar in %s, found %s: build it with `mvn package -pl examples/planning -am`, or name it with --service"
              .formatted(place.toAbsolutePath().normalize(), found));
    }
    return found.get(0);
  }

  /** Waits for the service, inserts tokens and creates a project. */
  void open() throws Exception {
    service.await("/actuator/health"); // Without the token, which it does not know yet.
    insertToken(token, "planner");
    insertToken(operatorToken, "operator");
    String project = post("/v1/projects", Sample.newKey(), "{\"name\":\"North\"}").body();
    missions = "/v1/projects/%s/missions".formatted(JSON.readTree(project).get("id").asText());
  }

  private void insertToken(String text, String role) {
    database.execute(
        """
        INSERT INTO api_token (token_hash, tenant, caller, role)
        VALUES (encode(sha256('%s'), 'hex'), '%s', 'bench', '%s')
        """
            .formatted(text, Sample.TENANT, role));
  }

  void create() throws IOException {
    String key = Sample.newKey();
    createMission(key, false);
    if (keys.size() < MAX_KEPT_KEYS) {
      keys.add(key);
    }
  }

  void replay(String key) throws IOException {
    createMission(key, true);
  }

  private void createMission(String key, boolean isReplay) throws IOException {
    HttpConnection.Reply reply = post(missions, key, MISSION);
    if (reply.headers().containsKey("idempotency-replayed") != isReplay) {
      throw new IllegalStateException(
          "the answer must %sbe a replay, got %s".formatted(isReplay ? "" : "not ", reply));
    }
  }

  private HttpConnection.Reply post(String path, String key, String json) throws IOException {
    String headers = "Content-Type: application/json\r\nIdempotency-Key: " + key + "\r\n";
    String body = "Content-Length: " + json.length() + "\r\n\r\n" + json;
    return service.exchange(start("POST", path, token) + headers + body).require(201);
  }

  /** Reads a static response, which is the same for all callers. */
  void constant() throws IOException {
    get("/v1/static", token);
  }

  private HttpConnection.Reply get(String path, String bearer) throws IOException {
    return service.exchange(start("GET", path, bearer) + "\r\n").require(200);
  }

  private static String start(String method, String path, String bearer) {
    String first = method + " " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\n";
    return first + "Authorization: Bearer " + bearer + "\r\n";
  }

  /** The first keys that were used, but not more than {@link #MAX_KEPT_KEYS}. */
  List<String> keys() {
    return List.copyOf(keys);
  }

  /** Returns clocks for this JVM, which has the callers, for the service, and for PostgreSQL. */
  List<CpuClock> clocks() {
    return List.of(CpuClock.jvm(), service.clock(), database.serverClock());
  }

  void settle() {
    database.settle();
  }

  long cacheHits() throws IOException {
    String metric = get("/actuator/metrics/once_cache?tag=result:hit", operatorToken).body();
    return JSON.readTree(metric).get("measurements").get(0).get("value").asLong();
  }

  long missions() {
    return database.number("SELECT count(*) FROM mission");
  }

  @Override
  public void close() throws IOException {
    service.close();
    database.close();
  }
}
