package dev.once.examples.pipeline;

import dev.once.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.postgresql.ds.PGSimpleDataSource;

/** All processes of the demo: first the servers, then the roles that use them. */
final class Parts implements AutoCloseable {
  private static final List<Role> SERVERS = List.of(Role.SEARCH, Role.KAFKA, Role.S3, Role.GRAPH);
  private static final List<Role> WORKERS =
      List.of(Role.INSTANCE_WORKER, Role.ONTOLOGY_WORKER, Role.PROJECTION_WORKER);

  /**
   * Leases and batches are short, so that a killed process does not block others for long. So is
   * the time that the relay looks back: the storage of the demo needs long for a listing.
   */
  private static final Map<String, String> SHORT =
      Map.of(
          "EVENT_PUBLISHER_BATCH_SIZE",
          "100",
          "EVENT_PUBLISHER_LOOKBACK_SECONDS",
          "5",
          "EVENT_PUBLISHER_LOOKBACK_MAX_KEYS",
          "10",
          "PROCESSED_EVENT_LEASE_TIMEOUT_SECONDS",
          "8",
          "PROCESSED_EVENT_HEARTBEAT_INTERVAL_SECONDS",
          "2",
          Environment.RELAY_LEASE,
          "4");

  private final Path folder;
  private final Path log;
  private final Consumer<String> listener;
  private final Map<String, String> variables = new ConcurrentHashMap<>();
  private final List<Part> parts = new CopyOnWriteArrayList<>();
  private final ExecutorService threads =
      Executors.newCachedThreadPool(
          task -> {
            Thread thread = new Thread(task, "part");
            thread.setDaemon(true);
            return thread;
          });
  private final EmbeddedPostgres postgres;
  private final PartTable table;

  /** Starts everything and tells {@code listener} what is ready. */
  Parts(Path folder, Path log, int port, Consumer<String> listener) throws IOException {
    this.folder = folder;
    this.log = log;
    this.listener = listener;
    variables.putAll(SHORT);
    variables.put(Environment.ACCESS_KEY, "demo");
    variables.put(Environment.SECRET_KEY, UUID.randomUUID().toString());
    this.postgres = EmbeddedPostgres.builder().start();
    PGSimpleDataSource database = postgres.newDatabase("pipeline");
    variables.put(Environment.DATABASE_URL, String.valueOf(database.getURL()));
    variables.put(Environment.DATABASE_USER, postgres.user());
    variables.put(Environment.DATABASE_PASSWORD, postgres.password());
    PipelineSchema.apply(database);
    this.table = new PartTable(database);
    listener.accept("PostgreSQL is ready");
    try {
      startAll(SERVERS, role -> serverVariables(role));
      variables.put(Environment.PORT, String.valueOf(port));
      startAll(List.of(Role.API), role -> variables);
      variables.remove(Environment.PORT);
      startAll(workers(), Parts.this::workerVariables);
    } catch (Throwable e) {
      close();
      throw e;
    }
  }

  /** Returns the roles that are killed. */
  static List<Role> workers() {
    List<Role> workers = new ArrayList<>(WORKERS);
    workers.add(Role.MESSAGE_RELAY);
    return workers;
  }

  /** Returns the settings of the roles that use the servers. */
  Environment environment() {
    return new Environment(Map.copyOf(variables));
  }

  List<Part> killable() {
    return parts.stream().filter(it -> workers().contains(it.role())).toList();
  }

  int kills() {
    return parts.stream().mapToInt(Part::kills).sum();
  }

  /** Kills a part, and starts it again in the background. */
  CompletableFuture<Void> killAndRestart(Part part) {
    part.kill();
    table.put(part, "killed");
    return CompletableFuture.runAsync(() -> start(part), threads);
  }

  /**
   * Makes sure that all parts run that were not killed.
   *
   * @throws IllegalStateException if one has ended
   */
  void requireAlive() {
    for (Part part : parts) {
      if (part.hasFailed()) {
        throw new IllegalStateException(part.role().text() + " ended by itself: see " + log);
      }
    }
  }

  private interface Variables {
    Map<String, String> of(Role role);
  }

  private void startAll(List<Role> roles, Variables of) throws IOException {
    List<CompletableFuture<Void>> starts = new ArrayList<>();
    for (Role role : roles) {
      Part part = new Part(role, Map.copyOf(of.of(role)), log);
      parts.add(part);
      starts.add(CompletableFuture.runAsync(() -> start(part), threads));
    }
    try {
      starts.forEach(CompletableFuture::join);
    } catch (CompletionException e) {
      throw new IOException(reason(e), e);
    }
  }

  private static String reason(CompletionException e) {
    return String.valueOf(e.getCause() == null ? e.getMessage() : e.getCause().getMessage());
  }

  private void start(Part part) {
    try {
      table.put(part, "starting");
      int port = part.start();
      table.put(part, "running");
      if (port != 0) {
        remember(part.role(), port);
      }
      String again = part.kills() == 0 ? " is ready" : " is ready again";
      listener.accept(part.role().text() + again);
    } catch (IOException e) {
      throw new CompletionException(e);
    }
  }

  private void remember(Role role, int port) {
    String url = "http://127.0.0.1:" + port;
    switch (role) {
      case KAFKA -> variables.put(Environment.KAFKA, "127.0.0.1:" + port);
      case S3 -> variables.put(Environment.S3_ENDPOINT, url);
      case SEARCH -> variables.put(Environment.SEARCH, url);
      case GRAPH -> variables.put(Environment.GRAPH, url);
      case API -> variables.put(Environment.API, url);
      default -> throw new IllegalArgumentException(role + " has no port");
    }
  }

  private Map<String, String> serverVariables(Role role) {
    Map<String, String> own = new HashMap<>(variables);
    own.put(Environment.DATA_FOLDER, folder.resolve(role.text()).toString());
    return own;
  }

  /** A consumer that comes back under its name gets its partitions at once. */
  private Map<String, String> workerVariables(Role role) {
    Map<String, String> own = new HashMap<>(variables);
    own.put(Environment.GROUP_INSTANCE, role.text() + "-1");
    return own;
  }

  @Override
  public void close() {
    List<Part> latestFirst = new ArrayList<>(parts);
    Collections.reverse(latestFirst);
    latestFirst.forEach(Part::end);
    threads.shutdownNow();
    postgres.close();
  }
}
