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
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** One Kafka and one S3 for all test classes that this extends; each starts when it is used. */
final class CliServers implements BeforeAllCallback {
  private static @Nullable TestKafka kafka;
  private static @Nullable TestS3 s3;

  static synchronized TestKafka kafka() {
    TestKafka started = kafka == null ? new TestKafka() : kafka;
    kafka = started;
    return started;
  }

  static synchronized TestS3 s3() {
    TestS3 started = s3 == null ? new TestS3() : s3;
    s3 = started;
    return started;
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

  /** Keeps the servers until the last test class has ended. */
  @Override
  public void beforeAll(ExtensionContext context) {
    context
        .getRoot()
        .getStore(ExtensionContext.Namespace.create(CliServers.class))
        .getOrComputeIfAbsent(
            "servers", it -> (AutoCloseable) CliServers::stop, AutoCloseable.class);
  }

  private static synchronized void stop() {
    if (kafka != null) {
      kafka.close();
      kafka = null;
    }
    if (s3 != null) {
      s3.close();
      s3 = null;
    }
  }
}
