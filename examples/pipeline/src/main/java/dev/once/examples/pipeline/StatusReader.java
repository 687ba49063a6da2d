package dev.once.examples.pipeline;

import dev.once.events.Checkpoint;
import dev.once.events.Event;
import dev.once.s3.S3EventStore;
import java.io.IOException;
import java.net.URI;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Asks all parts how far they are. */
final class StatusReader implements AutoCloseable {
  private static final long FRESH_NANOS = 400_000_000;
  private static final String SEARCH =
      """
      {"size": 10, "version": true, "track_total_hits": true, "sort": [{"_seq_no": "desc"}]}
      """;

  private final S3EventStore store;
  private final LogTail tail;
  private final StatusTables tables;
  private final URI search;
  private final URI graph;
  private final HttpJson http = new HttpJson();
  private @Nullable Status last;
  private long lastNanos;

  StatusReader(Environment environment, S3EventStore store, DataSource database) {
    this.store = store;
    this.tail = new LogTail(store.log());
    this.tables = new StatusTables(database, environment.schema());
    this.search = environment.search().resolve("/" + InstanceReadModel.NAME + "/_search");
    this.graph = environment.graph();
  }

  /** Returns the state, at most half a second old: several pages cost as much as one. */
  synchronized Status read() {
    Status status = last;
    if (status == null || System.nanoTime() - lastNanos > FRESH_NANOS) {
      status = readNow();
      last = status;
      lastNanos = System.nanoTime();
    }
    return status;
  }

  private Status readNow() {
    List<String> unreachable = new ArrayList<>();
    Map<String, Map<String, Long>> states =
        section("database", Map.of(), unreachable, tables::registry);
    Status.Relay relay = section("s3", Status.Relay.EMPTY, unreachable, this::relay);
    return new Status(
        log(),
        relay,
        consumers(states),
        section("search", Status.ReadModel.EMPTY, unreachable, this::readModel),
        section("graph", Status.Graph.EMPTY, unreachable, this::graph),
        section("database", Status.TypeGraph.EMPTY, unreachable, tables::typeGraph),
        section("database", List.of(), unreachable, tables::parts),
        unreachable.stream().distinct().toList());
  }

  /** Reads a section of the status. */
  private interface Section<T> {
    T read() throws IOException, SQLException, InterruptedException;
  }

  private static <T> T section(
      String part, T preset, List<String> unreachable, Section<T> section) {
    try {
      return section.read();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException | SQLException | RuntimeException e) {
      unreachable.add(part);
    }
    return preset;
  }

  private Status.Log log() {
    return new Status.Log(
        tail.total(),
        tail.count(Kind.INSTANCE),
        tail.count(Kind.ONTOLOGY),
        tail.newest().stream().map(StatusReader::entry).toList());
  }

  private static Status.Entry entry(Event event) {
    return new Status.Entry(
        event.time().toString(),
        event.content().type(),
        event.aggregate().id(),
        event.sequence(),
        event.id(),
        State.of(event).name());
  }

  private Status.Relay relay() {
    Checkpoint checkpoint = store.checkpoints().load(MessageRelay.NAME);
    long published = tail.lastNumber(checkpoint.recentIds());
    return new Status.Relay(
        published, tail.total() - published, checkpoint.position(), checkpoint.fence());
  }

  private List<Status.Consumer> consumers(Map<String, Map<String, Long>> states) {
    return List.of(
        consumer(Role.INSTANCE_WORKER, tail.count(Kind.INSTANCE), states),
        consumer(Role.ONTOLOGY_WORKER, tail.total(), states),
        consumer(Role.PROJECTION_WORKER, tail.count(Kind.INSTANCE), states));
  }

  private static Status.Consumer consumer(
      Role role, long events, Map<String, Map<String, Long>> states) {
    Map<String, Long> own = states.getOrDefault(role.text(), new TreeMap<>());
    long settled =
        own.getOrDefault("done", 0L)
            + own.getOrDefault("skipped", 0L)
            + own.getOrDefault("dead", 0L);
    // The tail may be behind the relay for a moment.
    return new Status.Consumer(role.text(), settled, Math.max(0, events - settled), own);
  }

  private Status.ReadModel readModel() throws IOException, InterruptedException {
    JsonNode found = http.post(search, SEARCH);
    List<JsonNode> newest = new ArrayList<>();
    found.at("/hits/hits").forEach(newest::add);
    return new Status.ReadModel(found.at("/hits/total/value").asLong(0), newest);
  }

  private Status.Graph graph() throws IOException, InterruptedException {
    JsonNode counts = http.get(graph.resolve(GraphServer.COUNTS));
    return new Status.Graph(
        counts.path("documents").asLong(0),
        counts.path("changes").asLong(0),
        counts.path("refused").asLong(0));
  }

  @Override
  public void close() {
    tail.close();
  }
}
