package dev.once.bench;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;

/** Reads what a relay publishes to a topic, from the first record on. For one thread. */
final class TopicReader implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Duration POLL = Duration.ofMillis(50);

  private final KafkaConsumer<String, byte[]> consumer;
  private final EventCounts counts;
  private final Set<String> seen = new HashSet<>();
  private final Map<String, String> lastOfKey = new HashMap<>();

  TopicReader(BenchKafka kafka, String topic, EventCounts counts) {
    Map<String, Object> settings = new HashMap<>(kafka.client());
    settings.put("isolation.level", "read_committed");
    settings.put("max.poll.records", 10_000);
    this.consumer =
        new KafkaConsumer<>(settings, new StringDeserializer(), new ByteArrayDeserializer());
    this.counts = counts;
    List<TopicPartition> partitions =
        IntStream.range(0, BenchKafka.PARTITIONS)
            .mapToObj(it -> new TopicPartition(topic, it))
            .toList();
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
  }

  /**
   * Returns when so many more events have arrived, with the time of each; those that do not arrive
   * are counted as lost.
   */
  Map<String, Long> await(int events) {
    Map<String, Long> arrived = new HashMap<>();
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (arrived.size() < events && System.nanoTime() - deadline < 0) {
      for (ConsumerRecord<String, byte[]> it : consumer.poll(POLL)) {
        accept(it, arrived);
      }
    }
    counts.addLost(events - arrived.size());
    return arrived;
  }

  private void accept(ConsumerRecord<String, byte[]> record, Map<String, Long> arrived) {
    String id =
        new String(record.headers().lastHeader(OutboxRelay.ID).value(), StandardCharsets.US_ASCII);
    if (!seen.add(id)) {
      counts.addDuplicates(1);
      return;
    }
    arrived.put(id, System.nanoTime());
    String before = lastOfKey.put(record.key(), id);
    counts.addDisordered(before != null && before.compareTo(id) > 0 ? 1 : 0);
  }

  @Override
  public void close() {
    consumer.close();
  }
}
