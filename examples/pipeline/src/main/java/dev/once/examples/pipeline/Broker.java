package dev.once.examples.pipeline;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.server.common.MetadataVersion;

/** A Kafka broker, which is also its controller, with the topics of the pipeline. */
final class Broker implements Role.Running {
  private static final int PARTITIONS = 4;
  private static final String CONTROLLER = "CONTROLLER";

  private final int port;
  private final KafkaRaftServer server;

  Broker(Environment environment) throws Exception {
    Path folder = environment.dataFolder();
    this.port = environment.chosenPort();
    Properties settings = settings(folder, Environment.freePort());
    format(folder);
    this.server = new KafkaRaftServer(new KafkaConfig(settings), Time.SYSTEM);
    server.startup();
    createTopics();
  }

  private Properties settings(Path folder, int controllerPort) {
    Properties settings = new Properties();
    settings.put("process.roles", "broker,controller");
    settings.put("node.id", "1");
    settings.put("controller.quorum.voters", "1@127.0.0.1:" + controllerPort);
    settings.put(
        "listeners",
        "PLAINTEXT://127.0.0.1:%d,%s://127.0.0.1:%d".formatted(port, CONTROLLER, controllerPort));
    settings.put("controller.listener.names", CONTROLLER);
    settings.put("log.dirs", folder.toString());
    settings.put("offsets.topic.replication.factor", "1");
    settings.put("offsets.topic.num.partitions", "1");
    settings.put("transaction.state.log.replication.factor", "1");
    settings.put("transaction.state.log.num.partitions", "1");
    settings.put("transaction.state.log.min.isr", "1");
    settings.put("group.initial.rebalance.delay.ms", "0");
    settings.put("num.partitions", String.valueOf(PARTITIONS));
    settings.put("log.cleaner.dedupe.buffer.size", "4194304"); // The default takes 128 MB.
    return settings;
  }

  /** Formats a new folder; the data of an earlier run stays. */
  private static void format(Path folder) throws Exception {
    if (Files.exists(folder.resolve("meta.properties"))) {
      return;
    }
    new Formatter()
        .setClusterId(Uuid.randomUuid().toString())
        .setNodeId(1)
        .addDirectory(folder.toString())
        .setMetadataLogDirectory(folder.toString())
        .setReleaseVersion(MetadataVersion.latestProduction())
        .setControllerListenerName(CONTROLLER)
        .setIgnoreFormatted(true)
        .run();
  }

  /** Creates them before there are consumers, which would wait for topics that come later. */
  private void createTopics() throws InterruptedException, IOException {
    List<NewTopic> topics =
        Topics.ALL.stream().map(it -> new NewTopic(it, PARTITIONS, (short) 1)).toList();
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", "127.0.0.1:" + port))) {
      admin.createTopics(topics).all().get();
    } catch (ExecutionException e) {
      if (!(e.getCause() instanceof TopicExistsException)) {
        throw new IOException("topics cannot be created", e);
      }
    }
  }

  @Override
  public int port() {
    return port;
  }

  @Override
  public void close() {
    server.shutdown();
    server.awaitShutdown();
  }
}
