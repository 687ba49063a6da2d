package dev.once.examples.pipeline;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The process of a worker, which reaches its servers through proxies that can kill it. */
final class StagedWorker {
  private final String name;
  private final Role role;
  private final Map<String, String> variables;
  private final Path log;
  private final FaultProxy database;
  private final FaultProxy graph;
  private final FaultProxy search;
  private volatile Part part;
  private boolean isChanged;

  /**
   * @param name sets it apart from other workers of its role
   * @param environment the addresses of the servers themselves
   */
  StagedWorker(String name, Role role, Environment environment, Path folder) throws IOException {
    this.name = name;
    this.role = role;
    this.log = folder.resolve(name + ".log");
    String url = String.valueOf(environment.variables().get(Environment.DATABASE_URL));
    URI databaseUrl = URI.create(url.substring("jdbc:".length()));
    this.database = new FaultProxy(databaseUrl.getPort(), this::kill);
    this.graph = new FaultProxy(environment.graph().getPort(), this::kill);
    this.search = new FaultProxy(environment.search().getPort(), this::kill);
    this.variables = new HashMap<>(environment.variables());
    variables.put(
        Environment.DATABASE_URL,
        // Every statement is sent with its text, so that the proxy can read it.
        "jdbc:postgresql://127.0.0.1:%d%s?prepareThreshold=0"
            .formatted(database.port(), databaseUrl.getPath()));
    variables.put(Environment.GRAPH, "http://127.0.0.1:" + graph.port());
    variables.put(Environment.SEARCH, "http://127.0.0.1:" + search.port());
    variables.put(Environment.GROUP_INSTANCE, name);
    variables.put("PROCESSED_EVENT_OWNER", name);
    this.part = part(Map.of());
  }

  private Part part(Map<String, String> more) {
    Map<String, String> all = new HashMap<>(variables);
    all.putAll(more);
    return new Part(role, Map.copyOf(all), log);
  }

  String name() {
    return name;
  }

  Role role() {
    return role;
  }

  FaultProxy database() {
    return database;
  }

  FaultProxy graph() {
    return graph;
  }

  FaultProxy search() {
    return search;
  }

  StagedWorker start() throws IOException {
    part.start();
    return this;
  }

  /** Starts it with more settings, after it was killed if it runs. */
  void start(Map<String, String> settings) throws IOException {
    part.kill();
    part = part(settings);
    isChanged = !settings.isEmpty();
    part.start();
  }

  /** Makes it run with its own settings, and lets its requests pass. */
  void restore() throws IOException {
    List.of(database, graph, search).forEach(FaultProxy::forwardAll);
    if (!part.isReady() || part.hasFailed() || isChanged) {
      start(Map.of());
    }
  }

  void kill() {
    part.kill();
  }

  /** Waits until it ends by itself, and returns its exit code. */
  int awaitExit() {
    return part.awaitExit();
  }

  /** Returns what it has logged since it was started first. */
  String log() throws IOException {
    return Files.readString(log);
  }

  /** Ends the process; it is not started again. */
  void end() {
    part.end();
    List.of(database, graph, search).forEach(FaultProxy::close);
  }
}
