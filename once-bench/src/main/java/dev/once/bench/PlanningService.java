package dev.once.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.once.embedded.EmbeddedPostgres;
import java.io.Closeable;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;

/**
 * The planning service in a JVM and on a database of its own, and its client: creates missions in
 * one project, repeats such requests, and checks every response. Thread-safe once it is open.
 */
final class PlanningService implements Closeable {
  /**
   * Without the filter, keys are ignored and nothing is claimed. Jobs are enqueued as in others.
   */
  static final List<String> WITHOUT_ONCE =
      List.of("--spring.autoconfigure.exclude=dev.once.spring.OnceWebAutoConfiguration");

  static final List<String> TRANSACTIONAL = List.of("--once.mode=transactional");
  static final List<String> LEASED = List.of("--once.mode=leased");

  /**
   * Transactional too, because that is the default. An outcome stays in the cache for as long as
   * the benchmark takes; by default that is a minute, which is over before replays are measured.
   */
  static final List<String> NEAR_CACHE =
      List.of("--once.cache.enabled=true", "--once.cache.max-age=1d");

  /** Enough keys that concurrent callers rarely replay the same one. */
  private static final int MAX_KEPT_KEYS = 10_000;

  /** One to query the tables, and one to vacuum them. */
  private static final int OWN_CONNECTIONS = 2;

  private static final Duration MAX_START = Duration.ofMinutes(3);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String MISSION =
      """
      {"title":"Inspect the northern line","starts_at":"2030-01-01T08:00:00Z",\
      "ends_at":"2030-01-01T16:00:00Z"}""";

  private final BenchDatabase database;
  private final int port;
  private final JavaProcess process;
  private final String token = Sample.newKey();
  private final String operatorToken = Sample.newKey();
  private final ConcurrentLinkedDeque<HttpConnection> idle = new ConcurrentLinkedDeque<>();
  private final List<String> keys = Collections.synchronizedList(new ArrayList<>());
  private String path = "";

  /** Starts the service without waiting for it. */
  PlanningService(EmbeddedPostgres server, Settings settings, List<String> variant)
      throws IOException {
    this.database = new BenchDatabase(server.newDatabase("http"), OWN_CONNECTIONS);
    this.port = freePort();
    List<String> arguments = new ArrayList<>(List.of("-jar", jar(settings.service()).toString()));
    arguments.addAll(variant);
    arguments.addAll(
        List.of(
            "--server.port=" + port,
            "--spring.profiles.active=bench",
            "--spring.datasource.hikari.maximum-pool-size=" + settings.connections(),
            "--logging.level.root=warn",
            // Callers keep their connections while other variants are measured.
            "--server.tomcat.max-keep-alive-requests=-1",
            "--server.tomcat.keep-alive-timeout=1h"));
    this.process = JavaProcess.start(arguments, database.toEnvironment());
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

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}))) {
      return socket.getLocalPort();
    }
  }

  /** Waits for the service, inserts tokens and creates a project. */
  void open() throws Exception {
    process.await(MAX_START, this::isReady);
    insertToken(token, "planner");
    insertToken(operatorToken, "operator");
    String created = post("/v1/projects", Sample.newKey(), "{\"name\":\"North\"}");
    String project = exchange(created).require(201).body();
    path = "/v1/projects/%s/missions".formatted(JSON.readTree(project).get("id").asText());
  }

  private void insertToken(String text, String role) {
    database.execute(
        """
        INSERT INTO api_token (token_hash, tenant, caller, role)
        VALUES (encode(sha256('%s'), 'hex'), '%s', 'bench', '%s')
        """
            .formatted(text, Sample.TENANT, role));
  }

  private boolean isReady() throws IOException {
    try { // Without the token, which it does not know yet.
      return exchange("GET /actuator/health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n").status() == 200;
    } catch (ConnectException e) {
      return false; // It does not listen yet.
    }
  }

  /** Creates a mission with an unused key. */
  void create() throws IOException {
    String key = Sample.newKey();
    post(key, false);
    if (keys.size() < MAX_KEPT_KEYS) {
      keys.add(key);
    }
  }

  /** Sends a creation again. */
  void replay(String key) throws IOException {
    post(key, true);
  }

  private void post(String key, boolean isReplay) throws IOException {
    HttpConnection.Reply reply = exchange(post(path, key, MISSION)).require(201);
    if (reply.headers().containsKey("idempotency-replayed") != isReplay) {
      throw new IllegalStateException(
          "the answer must %sbe a replay, got %s".formatted(isReplay ? "" : "not ", reply));
    }
  }

  /** Reads a static response, which is the same for all callers. */
  void constant() throws IOException {
    exchange(get("/v1/static")).require(200);
  }

  private String get(String path) {
    return start("GET", path, token) + "\r\n";
  }

  private String post(String path, String key, String json) {
    String start = start("POST", path, token) + "Idempotency-Key: " + key + "\r\n";
    String length = "Content-Length: " + json.length() + "\r\n\r\n";
    return start + "Content-Type: application/json\r\n" + length + json;
  }

  private static String start(String method, String path, String bearer) {
    String first = method + " " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\n";
    return first + "Authorization: Bearer " + bearer + "\r\n";
  }

  /** Takes an idle connection, so there are as many as there were concurrent callers. */
  private HttpConnection.Reply exchange(String request) throws IOException {
    HttpConnection free = idle.pollFirst();
    HttpConnection connection = free == null ? new HttpConnection(port) : free;
    HttpConnection.Reply reply;
    try {
      reply = connection.exchange(request);
    } catch (IOException | RuntimeException e) {
      connection.close(); // The start of the next response is unknown.
      throw e;
    }
    idle.addFirst(connection);
    return reply;
  }

  /** The first keys that were used, but not more than {@link #MAX_KEPT_KEYS}. */
  List<String> keys() {
    return List.copyOf(keys);
  }

  /** Returns clocks for this JVM, which has the callers, for the service, and for PostgreSQL. */
  List<CpuClock> clocks() {
    return List.of(CpuClock.jvm(), CpuClock.processTree(process.pid()), database.serverClock());
  }

  void settle() {
    database.settle();
  }

  /** Returns how many requests the near cache has answered. */
  long cacheHits() throws IOException {
    String path = "/actuator/metrics/once_cache?tag=result:hit";
    String metric = exchange(start("GET", path, operatorToken) + "\r\n").require(200).body();
    return JSON.readTree(metric).get("measurements").get(0).get("value").asLong();
  }

  long missions() throws SQLException {
    return database.number("SELECT count(*) FROM mission");
  }

  @Override
  public void close() throws IOException {
    for (HttpConnection connection : idle) {
      connection.close();
    }
    process.close(); // None of its state is needed any more.
    database.close();
  }
}
