package dev.once.examples.pipeline;

import java.util.Arrays;
import java.util.Optional;

/**
 * Starts the demo, or the role that the first argument names. A role prints one line, {@code ready}
 * and its port or {@code -}, and runs until its standard input ends or a signal ends it. It logs to
 * standard error.
 *
 * <table>
 *   <caption>Roles</caption>
 *   <tr><td>{@code kafka}<td>a broker; needs {@code DATA_FOLDER}
 *   <tr><td>{@code s3}<td>S3-compatible storage; needs {@code DATA_FOLDER} and {@code AWS_*}
 *   <tr><td>{@code search}<td>OpenSearch; needs {@code DATA_FOLDER}
 *   <tr><td>{@code graph}<td>a document store that speaks a part of TerminusDB's document API
 *   <tr><td>{@code api}<td>accepts commands and shows the page; needs all addresses
 *   <tr><td>{@code message_relay}<td>publishes the log to Kafka; needs S3, Kafka and the database
 *   <tr><td>{@code instance_worker}<td>writes instances to the graph store
 *   <tr><td>{@code ontology_worker}<td>writes instances and their types to PostgreSQL
 *   <tr><td>{@code projection_worker}<td>writes the read model to OpenSearch
 * </table>
 *
 * <table>
 *   <caption>Environment variables, besides those in docs/guides/events.md</caption>
 *   <tr><td>{@code PORT}<td>where a server listens, on this machine only; a free port by default
 *   <tr><td>{@code DATA_FOLDER}<td>where a server keeps its data
 *   <tr><td>{@code DATABASE_URL}, {@code DATABASE_USER}, {@code DATABASE_PASSWORD}<td>PostgreSQL
 *   <tr><td>{@code DATABASE_TIMEOUT_MS}<td>how long a call waits for a connection, 5000 by default;
 *       then the database counts as down
 *   <tr><td>{@code PROCESSED_EVENT_OUTAGE_MODE}<td>what a worker does while the registry is down:
 *       {@code pause} by default, {@code fail-fast} ends the process with code 1, {@code dlq} sends
 *       events to the topic of dead letters, for the projection only
 *   <tr><td>{@code S3_ENDPOINT}, {@code S3_BUCKET}, {@code S3_REGION}<td>the event store; the bucket is
 *       {@code events} and the region {@code us-east-1} by default
 *   <tr><td>{@code AWS_ACCESS_KEY_ID}, {@code AWS_SECRET_ACCESS_KEY}<td>the credentials of the storage
 *   <tr><td>{@code KAFKA_BOOTSTRAP_SERVERS}<td>the broker
 *   <tr><td>{@code KAFKA_GROUP_INSTANCE_ID}<td>names a worker for good, so that after a crash it gets
 *       its partitions at once; none by default, as two workers must not share one
 *   <tr><td>{@code KAFKA_SESSION_TIMEOUT_MS}<td>how long the partitions of a worker that crashed
 *       wait otherwise, 10000 by default
 *   <tr><td>{@code OPENSEARCH_URL}, {@code GRAPH_URL}<td>the sinks
 *   <tr><td>{@code MESSAGE_RELAY_LEASE_SECONDS}<td>how long a relay that crashed blocks another, 30
 *       by default
 * </table>
 */
public final class Main {
  static final String DEMO = "demo";

  private Main() {}

  public static void main(String[] arguments) throws Exception {
    String name = arguments.length == 0 ? "" : arguments[0];
    Optional<Role> role = Role.named(name);
    if (name.equals(DEMO)) {
      System.exit(Demo.run(Arrays.copyOfRange(arguments, 1, arguments.length)));
    } else if (role.isPresent()) {
      RoleProcess.run(role.get(), new Environment(System.getenv()));
    } else {
      System.err.println("once: name a part: demo or one of " + Role.names());
      System.exit(2);
    }
  }
}
