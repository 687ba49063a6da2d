package dev.once.examples.pipeline;

import dev.once.embedded.EmbeddedPostgres;
import dev.once.events.Aggregate;
import dev.once.events.Event;
import dev.once.events.EventData;
import dev.once.events.EventKind;
import dev.once.events.ProcessedEvent;
import dev.once.events.ProcessedEvents;
import dev.once.events.ProcessedState;
import dev.once.examples.pipeline.CommandSender.Answer;
import dev.once.opensearch.CheckReport;
import dev.once.opensearch.ProjectionCheck;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.postgresql.ds.PGSimpleDataSource;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The whole pipeline in processes, for all test classes of a JVM: its servers, the command API, the
 * relay, and a worker of each role behind proxies. A test uses aggregates of its own, starts again
 * what it has killed, and ends when everything is consumed.
 */
final class PipelineStage {
  static final List<Role> WORKERS =
      List.of(Role.INSTANCE_WORKER, Role.ONTOLOGY_WORKER, Role.PROJECTION_WORKER);

  /** Short, so that the events of a killed worker wait for a few seconds only. */
  private static final Map<String, String> SHORT_TIMES =
      Map.of(
          "PROCESSED_EVENT_LEASE_TIMEOUT_SECONDS",
          "3",
          "PROCESSED_EVENT_HEARTBEAT_INTERVAL_SECONDS",
          "1",
          Environment.RELAY_LEASE,
          "2",
          Environment.SESSION_TIMEOUT,
          "6000",
          Environment.DATABASE_TIMEOUT,
          "2000");

  private static final class Holder {
    static final PipelineStage STAGE = open();
  }

  private final Map<String, String> variables = new HashMap<>(SHORT_TIMES);
  private final Path folder;
  private final EmbeddedPostgres postgres;
  private final PGSimpleDataSource database;
  private final List<Part> servers = new ArrayList<>();
  private final Part relay;
  private final Map<Role, StagedWorker> workers = new EnumMap<>(Role.class);
  private final TopicView topics;
  private final Sinks sinks;
  private final CommandSender commands;

  private PipelineStage() throws IOException {
    Logs.configure("stage");
    this.folder =
        Files.createTempDirectory(
            Files.createDirectories(Path.of("target").toAbsolutePath()), "stage-");
    variables.put(Environment.ACCESS_KEY, "stage");
    variables.put(Environment.SECRET_KEY, UUID.randomUUID().toString());
    this.postgres = EmbeddedPostgres.builder().start();
    this.database = postgres.newDatabase("pipeline");
    variables.put(Environment.DATABASE_URL, String.valueOf(database.getURL()));
    variables.put(Environment.DATABASE_USER, postgres.user());
    variables.put(Environment.DATABASE_PASSWORD, postgres.password());
    inParallel(List.of(Role.SEARCH, Role.KAFKA, Role.S3, Role.GRAPH), this::startServer);
    startServer(Role.API);
    this.relay = new Part(Role.MESSAGE_RELAY, Map.copyOf(variables), log(Role.MESSAGE_RELAY));
    for (Role role : WORKERS) {
      workers.put(role, newWorker(role.text() + "-1", role));
    }
    inParallel(workers.values(), StagedWorker::start);
    relay.start();
    this.topics = new TopicView(environment().kafka());
    this.sinks = new Sinks(environment().graph(), environment().search(), database, new HttpJson());
    this.commands = new CommandSender(environment().api(), new Tally());
  }

  /** Returns the stage, which the first call starts. */
  static PipelineStage shared() {
    return Holder.STAGE;
  }

  private static PipelineStage open() {
    try {
      PipelineStage stage = new PipelineStage();
      Runtime.getRuntime().addShutdownHook(new Thread(stage::end, "stage-end"));
      return stage;
    } catch (IOException e) {
      throw new IllegalStateException("the pipeline does not start", e);
    }
  }

  private interface Start<T> {
    Object of(T it) throws IOException;
  }

  private static <T> void inParallel(Iterable<T> all, Start<T> start) {
    List<CompletableFuture<Void>> starts = new ArrayList<>();
    for (T it : all) {
      starts.add(
          CompletableFuture.runAsync(
              () -> run(() -> start.of(it)), task -> new Thread(task).start()));
    }
    starts.forEach(CompletableFuture::join);
  }

  private static void run(Callable<?> task) {
    try {
      task.call();
    } catch (Exception e) {
      throw new CompletionException(e);
    }
  }

  private Path log(Role role) {
    return folder.resolve(role.text() + ".log");
  }

  private Part startServer(Role role) throws IOException {
    Map<String, String> own;
    synchronized (variables) {
      own = new HashMap<>(variables);
    }
    own.put(Environment.DATA_FOLDER, folder.resolve(role.text()).toString());
    Part part = new Part(role, own, log(role));
    int port = part.start();
    String url = "http://127.0.0.1:" + port;
    synchronized (variables) {
      servers.add(part);
      switch (role) {
        case KAFKA -> variables.put(Environment.KAFKA, "127.0.0.1:" + port);
        case S3 -> variables.put(Environment.S3_ENDPOINT, url);
        case SEARCH -> variables.put(Environment.SEARCH, url);
        case GRAPH -> variables.put(Environment.GRAPH, url);
        default -> variables.put(Environment.API, url);
      }
    }
    return part;
  }

  /** Returns a worker that has not started. */
  StagedWorker newWorker(String name, Role role) throws IOException {
    return new StagedWorker(name, role, environment(), folder);
  }

  Environment environment() {
    return new Environment(Map.copyOf(variables));
  }

  EmbeddedPostgres postgres() {
    return postgres;
  }

  PGSimpleDataSource database() {
    return database;
  }

  Part relay() {
    return relay;
  }

  StagedWorker worker(Role role) {
    return Objects.requireNonNull(workers.get(role));
  }

  /** Starts workers that have ended, at the same time. */
  void start(Role... roles) {
    inParallel(List.of(roles), role -> worker(role).start());
  }

  /** Repairs what a test has broken, also if it failed. */
  void restore() throws IOException {
    for (StagedWorker worker : workers.values()) {
      worker.restore();
    }
  }

  TopicView topics() {
    return topics;
  }

  Sinks sinks() {
    return sinks;
  }

  CommandSender commands() {
    return commands;
  }

  ProcessedEvents registry() {
    return ProcessedEvents.over(database);
  }

  /** Returns what a worker has done with an event. */
  ProcessedEvent processed(Role role, String eventId) {
    return registry()
        .find(role.text(), eventId)
        .orElseThrow(() -> new AssertionError(role + " has not claimed " + eventId));
  }

  /** Returns the name of an event that {@link #create} or {@link #update} sends. */
  static String eventId(String id, long sequence) {
    return "event-" + sequence + "-of-" + id;
  }

  /** Returns the state of an instance after an event. */
  static ObjectNode state(String id, long sequence) {
    return JsonMapper.shared()
        .createObjectNode()
        .put("id", id)
        .put(State.TYPE, "pump")
        .put(State.NAME, "name " + sequence);
  }

  /** Returns an event of an instance that no command has made. */
  static Event event(String id, long sequence) {
    EventData data =
        EventData.of(
                eventId(id, sequence),
                new Aggregate(Kind.INSTANCE.text(), id),
                sequence == 1 ? Kind.INSTANCE.created() : Kind.INSTANCE.updated(),
                state(id, sequence).toString())
            .withKind(EventKind.COMMAND);
    return new Event(data, sequence, Instant.now());
  }

  /** Creates an instance by the API. */
  Answer create(String id) throws InterruptedException {
    return commands.create(Kind.INSTANCE, eventId(id, 1), state(id, 1));
  }

  /** Changes an instance by the API: the event gets this sequence. */
  Answer update(String id, long sequence) throws InterruptedException {
    return commands.update(
        Kind.INSTANCE, eventId(id, sequence), id, state(id, sequence), sequence - 1);
  }

  /** Returns how far a worker is with an instance. */
  long lastSequence(Role role, String id) {
    return registry().lastSequence(role.text(), new Aggregate(Kind.INSTANCE.text(), id));
  }

  /** Waits until all workers have committed all records, those of this event among them. */
  void awaitConsumed(String id, long sequence) throws Exception {
    String eventId = eventId(id, sequence);
    Eventually.until(eventId + " is published", () -> topics.count(Topics.INSTANCES, eventId) > 0);
    awaitConsumed();
  }

  /** Waits until all workers have committed all records that are published. */
  void awaitConsumed() throws Exception {
    for (Role role : WORKERS) {
      Eventually.until(role.text() + " has committed all", () -> topics.uncommitted(role) == 0);
    }
  }

  /** Waits until the registry has an event in a state. */
  void awaitState(Role role, String eventId, ProcessedState state) throws Exception {
    Eventually.until(
        "%s: %s is %s".formatted(role.text(), eventId, state),
        () -> registry().find(role.text(), eventId).filter(it -> it.state() == state).isPresent());
  }

  /**
   * Compares all documents of the read model with a fold over the events of the topic: those of the
   * log, and those that tests have put there. Every event is consumed.
   */
  void requireReadModelIsFold() throws Exception {
    awaitConsumed();
    Map<String, Event> events = new HashMap<>();
    topics.events(Topics.INSTANCES).forEach(it -> events.putIfAbsent(it.id(), it));
    LogContent log =
        LogContent.of(
            events.values().stream().sorted(Comparator.comparingLong(Event::sequence)).toList());
    CheckReport report =
        ProjectionCheck.of(InstanceReadModel.at(environment().search()), log).run();
    if (!report.isEqual() || report.documents() == 0) {
      throw new AssertionError("the read model is not what the events make: " + report);
    }
  }

  private void end() {
    workers.values().forEach(StagedWorker::end);
    relay.end();
    servers.forEach(Part::end);
    postgres.close();
  }
}
