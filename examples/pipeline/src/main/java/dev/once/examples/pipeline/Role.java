package dev.once.examples.pipeline;

import java.io.IOException;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** The parts of the system, each a process. */
enum Role {
  KAFKA(256),
  S3(192),
  SEARCH(512),
  GRAPH(96),
  API(192),
  MESSAGE_RELAY(128),
  INSTANCE_WORKER(128),
  ONTOLOGY_WORKER(128),
  PROJECTION_WORKER(128);

  private final int heapMegabytes;

  Role(int heapMegabytes) {
    this.heapMegabytes = heapMegabytes;
  }

  /** A started role. */
  interface Running extends AutoCloseable {
    /** Returns the port on which it listens; 0 if it does not. */
    default int port() {
      return 0;
    }

    @Override
    void close() throws IOException;
  }

  static Optional<Role> named(String name) {
    return Arrays.stream(values()).filter(it -> it.text().equals(name)).findFirst();
  }

  static String names() {
    return Arrays.stream(values()).map(Role::text).collect(Collectors.joining(", "));
  }

  /** Returns the name of the role, which is also that of its handler in the registry. */
  String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns the option that bounds the memory of its process. */
  String heap() {
    return "-Xmx" + heapMegabytes + "m";
  }

  Running start(Environment environment) throws Exception {
    return switch (this) {
      case KAFKA -> new Broker(environment);
      case S3 -> new ObjectStorage(environment);
      case SEARCH -> new SearchServer(environment);
      case GRAPH -> new GraphServer(environment);
      case API -> new Api(environment);
      case MESSAGE_RELAY -> new MessageRelay(environment);
      case INSTANCE_WORKER -> Workers.instances(environment);
      case ONTOLOGY_WORKER -> Workers.ontologies(environment);
      case PROJECTION_WORKER -> Workers.projection(environment);
    };
  }
}
