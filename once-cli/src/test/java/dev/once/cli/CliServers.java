package dev.once.cli;

import dev.once.kafka.TestKafka;
import dev.once.s3.TestS3;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** One Kafka and one S3 for all tests of this process. */
final class CliServers {
  private CliServers() {}

  static TestKafka kafka() {
    return Kafka.SERVER;
  }

  static TestS3 s3() {
    return S3.SERVER;
  }

  /** Returns the variables that name the S3 server. */
  static Map<String, String> s3Environment() {
    return Map.of(
        "S3_ENDPOINT",
        s3().endpoint().toString(),
        "S3_BUCKET",
        TestS3.BUCKET,
        "AWS_ACCESS_KEY_ID",
        "test",
        "AWS_SECRET_ACCESS_KEY",
        TestS3.SECRET);
  }

  /** Returns the ids of events in topics, in their order, when there are as many as expected. */
  static List<String> published(int count, String... topics) {
    Map<String, Object> config = new HashMap<>(kafka().client());
    config.put("group.id", UUID.randomUUID().toString());
    config.put("auto.offset.reset", "earliest");
    config.put("isolation.level", "read_committed");
    config.put("metadata.max.age.ms", "500");
    List<String> ids = new ArrayList<>();
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      consumer.subscribe(List.of(topics));
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
      while (ids.size() < count && System.nanoTime() - end < 0) {
        consumer.poll(Duration.ofMillis(200)).forEach(it -> ids.add(id(it)));
      }
    }
    return ids;
  }

  private static String id(ConsumerRecord<byte[], byte[]> record) {
    return record.topic()
        + ":"
        + new String(record.headers().lastHeader("ce_id").value(), StandardCharsets.UTF_8);
  }

  private static final class Kafka {
    static final TestKafka SERVER = closedAtTheEnd(new TestKafka());
  }

  private static final class S3 {
    static final TestS3 SERVER = closedAtTheEnd(new TestS3());
  }

  private static <T extends AutoCloseable> T closedAtTheEnd(T server) {
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  try {
                    server.close();
                  } catch (Exception e) {
                    throw new IllegalStateException(e);
                  }
                }));
    return server;
  }
}
