package dev.once.bench;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Stream;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.server.common.MetadataVersion;

/** A Kafka broker in this JVM, the same for all contestants. */
final class BenchKafka implements AutoCloseable {
  static final int PARTITIONS = 4;

  private static final int BATCH_BYTES = 128 << 10;

  private final Path directory;
  private final int port;
  private final KafkaRaftServer server;

  BenchKafka() {
    try {
      this.directory = Files.createTempDirectory("once-bench-kafka");
      this.port = JavaProcess.freePort();
      format();
      this.server =
          new KafkaRaftServer(new KafkaConfig(settings(JavaProcess.freePort())), Time.SYSTEM);
    } catch (Exception e) {
      throw new IllegalStateException("Kafka does not start", e);
    }
    server.startup();
  }

  Map<String, Object> client() {
    return Map.of("bootstrap.servers", "127.0.0.1:" + port);
  }

  /**
   * Creates a producer for a contestant that has none of its own: no event is lost or reordered,
   * and its batches are as large as those of Once's relay.
   */
  KafkaProducer<String, byte[]> producer() {
    return new KafkaProducer<>(
        Map.of(
            "bootstrap.servers",
            "127.0.0.1:" + port,
            "acks",
            "all",
            "enable.idempotence",
            true,
            "batch.size",
            BATCH_BYTES),
        new StringSerializer(),
        new ByteArraySerializer());
  }

  String newTopic() throws Exception {
    String name = Sample.newKey();
    try (Admin admin = Admin.create(client())) {
      admin.createTopics(List.of(new NewTopic(name, PARTITIONS, (short) 1))).all().get();
    }
    return name;
  }

  private Properties settings(int controllerPort) throws IOException {
    Properties settings = new Properties();
    settings.load(
        new StringReader(
            """
            process.roles = broker,controller
            node.id = 1
            controller.quorum.voters = 1@127.0.0.1:%1$d
            listeners = PLAINTEXT://127.0.0.1:%2$d,CONTROLLER://127.0.0.1:%1$d
            controller.listener.names = CONTROLLER
            offsets.topic.replication.factor = 1
            transaction.state.log.replication.factor = 1
            transaction.state.log.num.partitions = 1
            transaction.state.log.min.isr = 1
            log.cleaner.dedupe.buffer.size = 4194304
            """
                .formatted(controllerPort, port)));
    settings.put("log.dirs", directory.toString());
    return settings;
  }

  private void format() throws Exception {
    new Formatter()
        .setClusterId(Uuid.randomUuid().toString())
        .setNodeId(1)
        .addDirectory(directory.toString())
        .setMetadataLogDirectory(directory.toString())
        .setReleaseVersion(MetadataVersion.latestProduction())
        .setControllerListenerName("CONTROLLER")
        .setPrintStream(
            new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.US_ASCII))
        .run();
  }

  @Override
  public void close() {
    server.shutdown();
    server.awaitShutdown();
    try (Stream<Path> files = Files.walk(directory)) {
      files.sorted(Comparator.reverseOrder()).forEach(it -> it.toFile().delete());
    } catch (IOException e) {
      throw new IllegalStateException("cannot delete " + directory, e);
    }
  }
}
