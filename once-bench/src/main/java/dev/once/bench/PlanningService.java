package dev.once.bench;

import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.SQLException;
import java.util.HexFormat;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A client of the planning service with a token: creates missions in one project, repeats such
 * requests, and checks every response. Thread-safe.
 */
final class PlanningService implements Closeable {
  /** Enough keys that concurrent callers rarely replay the same one. */
  static final int MAX_KEPT_KEYS = 10_000;

  private static final String REPLAYED = "idempotency-replayed";
  private static final Pattern ID = Pattern.compile("\"id\":\"([^\"]+)\"");
  private static final String MISSION =
      """
      {"title":"Inspect the northern line","starts_at":"2030-01-01T08:00:00Z",\
      "ends_at":"2030-01-01T16:00:00Z"}""";

  private final BenchDatabase database;
  private final List<CpuClock> clocks;
  private final HttpConnections connections;
  private final KeyedRequest creation;
  private final byte[] constant;
  private final AtomicInteger created = new AtomicInteger();
  private final Queue<String> keys = new ConcurrentLinkedQueue<>();

  private PlanningService(
      BenchDatabase database,
      List<CpuClock> clocks,
      HttpConnections connections,
      HttpRequests requests,
      String project) {
    this.database = database;
    this.clocks = clocks;
    this.connections = connections;
    this.creation =
        KeyedRequest.post(requests, "/v1/projects/%s/missions".formatted(project), MISSION);
    this.constant = requests.get("/v1/static");
  }

  /** Waits for the service, inserts a token and creates a project with it. */
  static PlanningService open(ServiceProcess process, BenchDatabase database)
      throws IOException, InterruptedException {
    HttpRequests requests = new HttpRequests(Sample.newKey());
    process.awaitReady(HttpRequests.anonymous("/actuator/health"));
    database.execute(
        "INSERT INTO api_token (token_hash, tenant, caller, role) VALUES ('%s', '%s', 'bench', 'planner')"
            .formatted(sha256(requests.token()), Sample.TENANT));
    HttpConnections connections = new HttpConnections(process.port());
    byte[] request = requests.post("/v1/projects", Sample.newKey(), "{\"name\":\"North\"}");
    String project = connections.exchange(request).require(201).body();
    List<CpuClock> clocks = List.of(CpuClock.jvm(), process.clock(), database.serverClock());
    return new PlanningService(database, clocks, connections, requests, id(project));
  }

  /** Creates a mission with an unused key. */
  void create() throws IOException {
    String key = Sample.newKey();
    requireReplayed(connections.exchange(creation.with(key)).require(201), false);
    if (created.incrementAndGet() <= MAX_KEPT_KEYS) {
      keys.add(key);
    }
  }

  /** Sends a creation again. */
  void replay(String key) throws IOException {
    requireReplayed(connections.exchange(creation.with(key)).require(201), true);
  }

  /** Reads a static response, which is the same for all callers. */
  void constant() throws IOException {
    connections.exchange(constant).require(200);
  }

  /** The first keys that were used, but not more than {@link #MAX_KEPT_KEYS}. */
  DoneKeys doneKeys() {
    return new DoneKeys(keys.stream().toList());
  }

  /** Returns clocks for this JVM, which has the callers, for the service, and for PostgreSQL. */
  List<CpuClock> clocks() {
    return clocks;
  }

  void settle() {
    database.settle();
  }

  /** Checks that there is one mission for each key, and none for a replay. */
  void requireMissions() throws SQLException {
    long missions = database.number("SELECT count(*) FROM mission");
    if (missions != created.get()) {
      throw new IllegalStateException(
          "%d missions were created, and there are %d".formatted(created.get(), missions));
    }
  }

  @Override
  public void close() throws IOException {
    connections.close();
  }

  private static void requireReplayed(HttpReply reply, boolean wanted) {
    if (reply.header(REPLAYED).isPresent() != wanted) {
      throw new IllegalStateException(
          "the answer must %sbe a replay, got %s".formatted(wanted ? "" : "not ", reply.headers()));
    }
  }

  private static String id(String json) {
    Matcher id = ID.matcher(json);
    if (!id.find()) {
      throw new IllegalStateException("a new project must have an id, got " + json);
    }
    return id.group(1);
  }

  private static String sha256(String token) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.US_ASCII));
      return HexFormat.of().formatHex(hash);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java platform has SHA-256", e);
    }
  }
}
