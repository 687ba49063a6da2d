package dev.once.kafka;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Stream;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.server.common.MetadataVersion;

/** A Kafka broker in this JVM. */
public final class TestKafka implements AutoCloseable {
  private final Path directory;
  private final int port;
  private KafkaRaftServer server;

  public TestKafka() {
    try {
      this.directory = Files.createTempDirectory("once-kafka");
      this.port = freePort();
      int controllerPort = freePort();
      Properties settings = settings(controllerPort);
      format();
      this.server = new KafkaRaftServer(new KafkaConfig(settings), Time.SYSTEM);
    } catch (Exception e) {
      throw new IllegalStateException("Kafka does not start", e);
    }
    server.startup();
  }

  public String bootstrapServers() {
    return "127.0.0.1:" + port;
  }

  public Map<String, Object> client() {
    return Map.of("bootstrap.servers", bootstrapServers());
  }

  private Properties settings(int controllerPort) {
    Properties settings = new Properties();
    settings.put("process.roles", "broker,controller");
    settings.put("node.id", "1");
    settings.put("controller.quorum.voters", "1@127.0.0.1:" + controllerPort);
    settings.put(
        "listeners", "PLAINTEXT://127.0.0.1:" + port + ",CONTROLLER://127.0.0.1:" + controllerPort);
    settings.put("controller.listener.names", "CONTROLLER");
    settings.put("log.dirs", directory.toString());
    settings.put("offsets.topic.replication.factor", "1");
    settings.put("offsets.topic.num.partitions", "1");
    settings.put("transaction.state.log.replication.factor", "1");
    settings.put("transaction.state.log.num.partitions", "1");
    settings.put("transaction.state.log.min.isr", "1");
    settings.put("group.initial.rebalance.delay.ms", "0");
    settings.put("log.cleaner.dedupe.buffer.size", "4194304");
    settings.put("num.partitions", "4");
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
        .setIgnoreFormatted(true)
        .run();
  }

  @Override
  public void close() {
    server.shutdown();
    server.awaitShutdown();
    try (Stream<Path> files = Files.walk(directory)) {
      files.sorted(Comparator.reverseOrder()).forEach(it -> it.toFile().delete());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }
}
