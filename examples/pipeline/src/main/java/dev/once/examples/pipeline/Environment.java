package dev.once.examples.pipeline;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.once.events.EventConsumerSettings;
import dev.once.events.EventStoreSettings;
import dev.once.events.EventsSchema;
import dev.once.events.RegistryOutage;
import dev.once.events.RelaySettings;
import dev.once.s3.S3EventStore;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import javax.sql.DataSource;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;

/** The settings of a role, by the environment variables that {@link Main} lists. */
record Environment(Map<String, String> variables) {
  static final String PORT = "PORT";
  static final String DATA_FOLDER = "DATA_FOLDER";
  static final String DATABASE_URL = "DATABASE_URL";
  static final String DATABASE_USER = "DATABASE_USER";
  static final String DATABASE_PASSWORD = "DATABASE_PASSWORD";
  static final String DATABASE_TIMEOUT = "DATABASE_TIMEOUT_MS";
  static final String S3_ENDPOINT = "S3_ENDPOINT";
  static final String S3_BUCKET = "S3_BUCKET";
  static final String ACCESS_KEY = "AWS_ACCESS_KEY_ID";
  static final String SECRET_KEY = "AWS_SECRET_ACCESS_KEY";
  static final String REGION = "S3_REGION";
  static final String KAFKA = "KAFKA_BOOTSTRAP_SERVERS";
  static final String SEARCH = "OPENSEARCH_URL";
  static final String GRAPH = "GRAPH_URL";
  static final String API = "API_URL";
  static final String GROUP_INSTANCE = "KAFKA_GROUP_INSTANCE_ID";
  static final String SESSION_TIMEOUT = "KAFKA_SESSION_TIMEOUT_MS";
  static final String OUTAGE = "PROCESSED_EVENT_OUTAGE_MODE";
  static final String RELAY_LEASE = "MESSAGE_RELAY_LEASE_SECONDS";

  private static final int CONNECTIONS = 6;
  private static final String DEFAULT_RELAY_LEASE = "30";
  private static final String DEFAULT_SESSION_TIMEOUT = "10000";

  /** Shorter than the pool's own: until it passes, an outage looks like a slow database. */
  private static final String DEFAULT_DATABASE_TIMEOUT = "5000";

  /** Returns the port on which a server should listen; 0 takes a free one. */
  int port() {
    return Integer.parseInt(text(PORT, "0"));
  }

  /** Returns the port, for servers that cannot choose a free one themselves. */
  int chosenPort() throws IOException {
    return port() == 0 ? freePort() : port();
  }

  static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  Path dataFolder() throws IOException {
    return Files.createDirectories(Path.of(require(DATA_FOLDER)).toAbsolutePath());
  }

  String bucket() {
    return text(S3_BUCKET, "events");
  }

  String accessKey() {
    return require(ACCESS_KEY);
  }

  String secretKey() {
    return require(SECRET_KEY);
  }

  Map<String, Object> kafka() {
    return Map.of("bootstrap.servers", require(KAFKA));
  }

  /** Returns the settings of a consumer. */
  Map<String, Object> kafkaConsumer() {
    Map<String, Object> settings = new HashMap<>(kafka());
    settings.put("session.timeout.ms", text(SESSION_TIMEOUT, DEFAULT_SESSION_TIMEOUT));
    String instance = text(GROUP_INSTANCE, "");
    if (!instance.isEmpty()) {
      settings.put("group.instance.id", instance);
    }
    return settings;
  }

  URI api() {
    return URI.create(require(API));
  }

  URI search() {
    return URI.create(require(SEARCH));
  }

  URI graph() {
    return URI.create(require(GRAPH));
  }

  /** Returns the PostgreSQL schema of sequences, registry and relays. */
  String schema() {
    return EventStoreSettings.of(variables).schema();
  }

  Duration relayLease() {
    return Duration.ofSeconds(Long.parseLong(text(RELAY_LEASE, DEFAULT_RELAY_LEASE)));
  }

  RelaySettings relay() {
    return RelaySettings.of(variables);
  }

  EventConsumerSettings consumer() {
    return EventConsumerSettings.of(variables);
  }

  /** Returns what a worker does while the registry cannot be reached. */
  RegistryOutage outage() {
    String mode = text(OUTAGE, "pause");
    return switch (mode) {
      case "pause" -> RegistryOutage.PAUSE;
      case "fail-fast" -> RegistryOutage.FAIL_FAST;
      case "dlq" -> RegistryOutage.DEAD_LETTER;
      default ->
          throw new IllegalArgumentException(
              OUTAGE + " must be pause, fail-fast or dlq, got " + mode);
    };
  }

  /** Opens a pool; the tables are created or upgraded. */
  HikariDataSource openDatabase() {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(require(DATABASE_URL));
    config.setUsername(require(DATABASE_USER));
    config.setPassword(require(DATABASE_PASSWORD));
    config.setMaximumPoolSize(CONNECTIONS);
    config.setConnectionTimeout(Long.parseLong(text(DATABASE_TIMEOUT, DEFAULT_DATABASE_TIMEOUT)));
    HikariDataSource pool = new HikariDataSource(config);
    EventsSchema.named(schema()).apply(pool);
    PipelineSchema.apply(pool);
    return pool;
  }

  S3Client openS3() {
    return S3Client.builder()
        .endpointOverride(URI.create(require(S3_ENDPOINT)))
        .region(Region.of(text(REGION, "us-east-1")))
        .forcePathStyle(true)
        .credentialsProvider(
            StaticCredentialsProvider.create(AwsBasicCredentials.create(accessKey(), secretKey())))
        .build();
  }

  S3EventStore store(S3Client s3, DataSource database) {
    return S3EventStore.builder(s3, bucket())
        .settings(EventStoreSettings.of(variables))
        .database(database)
        .build();
  }

  /** Writes the variables for a shell to a file that only its owner can read. */
  Path writeTo(Path file) throws IOException {
    Files.deleteIfExists(file);
    Files.createFile(
        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    StringBuilder lines = new StringBuilder("export EVENT_SOURCE=s3 S3_BUCKET=" + bucket() + "\n");
    new TreeMap<>(variables)
        .forEach((name, value) -> lines.append("export %s='%s'%n".formatted(name, value)));
    return Files.writeString(file, lines);
  }

  private String text(String name, String preset) {
    String value = variables.getOrDefault(name, "").strip();
    return value.isEmpty() ? preset : value;
  }

  private String require(String name) {
    String value = text(name, "");
    if (value.isEmpty()) {
      throw new IllegalArgumentException("the environment variable " + name + " must be set");
    }
    return value;
  }

  /** Shows no values: some are secrets. */
  @Override
  public String toString() {
    return "environment with " + variables.size() + " variables";
  }
}
