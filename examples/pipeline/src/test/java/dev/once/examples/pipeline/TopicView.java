package dev.once.examples.pipeline;

import dev.once.events.Event;
import dev.once.events.internal.EventJson;
import dev.once.kafka.KafkaEventPublisher;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.MemberToRemove;
import org.apache.kafka.clients.admin.RemoveMembersFromConsumerGroupOptions;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** What is in the topics, how far the workers have committed, and events put there by a test. */
final class TopicView implements AutoCloseable {
  private static final Duration FLUSH = Duration.ofSeconds(60);
  private static final Duration POLL = Duration.ofMillis(20);

  private final Map<String, Object> kafka;
  private final Admin admin;
  private final KafkaConsumer<byte[], byte[]> reader;
  private final KafkaEventPublisher publisher;

  /** All records of all topics so far. */
  private final List<ConsumerRecord<byte[], byte[]>> read = new ArrayList<>();

  TopicView(Map<String, Object> kafka) {
    this.kafka = kafka;
    this.admin = Admin.create(kafka);
    Map<String, Object> settings = new HashMap<>(kafka);
    settings.put("isolation.level", "read_committed");
    settings.put("enable.auto.commit", false);
    this.reader =
        new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    List<TopicPartition> partitions =
        Topics.ALL.stream()
            .flatMap(it -> reader.partitionsFor(it).stream())
            .map(it -> new TopicPartition(it.topic(), it.partition()))
            .toList();
    reader.assign(partitions);
    reader.seekToBeginning(partitions);
    this.publisher = new KafkaEventPublisher("test", kafka, Topics::of);
    publisher.takeOver();
  }

  /** Publishes events that are not in the log, each in a transaction of its own, in this order. */
  void publish(List<Event> events) throws InterruptedException {
    for (Event event : events) {
      publisher.publish(List.of(event), FLUSH);
    }
  }

  /** Puts an event into several partitions of instances. */
  void copy(Event event, List<Integer> partitions) {
    try (KafkaProducer<String, byte[]> producer =
        new KafkaProducer<>(kafka, new StringSerializer(), new ByteArraySerializer())) {
      for (int partition : partitions) {
        var record =
            new ProducerRecord<>(
                Topics.INSTANCES, partition, event.aggregate().key(), EventJson.write(event));
        record.headers().add("ce_id", event.id().getBytes(StandardCharsets.UTF_8));
        var unused = producer.send(record); // Closing waits for it.
      }
    }
  }

  /** Returns all records of a topic. */
  synchronized List<ConsumerRecord<byte[], byte[]>> records(String topic) {
    Set<TopicPartition> partitions = reader.assignment();
    Map<TopicPartition, Long> ends = reader.endOffsets(partitions);
    while (partitions.stream().anyMatch(it -> reader.position(it) < ends.getOrDefault(it, 0L))) {
      reader.poll(POLL).forEach(read::add);
    }
    return read.stream().filter(it -> it.topic().equals(topic)).toList();
  }

  /** Returns all events of a topic. */
  List<Event> events(String topic) {
    return records(topic).stream().map(it -> EventJson.read(it.value())).toList();
  }

  /** Returns how many times an event was published. */
  long count(String topic, String eventId) {
    return records(topic).stream().filter(it -> header(it, "ce_id").equals(eventId)).count();
  }

  static String header(ConsumerRecord<byte[], byte[]> record, String name) {
    Header header = record.headers().lastHeader(name);
    return header == null ? "" : new String(header.value(), StandardCharsets.UTF_8);
  }

  /** Returns how many records a worker has not committed. */
  long uncommitted(Role role) throws Exception {
    Map<TopicPartition, OffsetAndMetadata> committed =
        admin.listConsumerGroupOffsets(role.text()).partitionsToOffsetAndMetadata().get();
    return topics(role).stream()
        .flatMap(it -> records(it).stream())
        .filter(it -> it.offset() >= committed(committed, it))
        .count();
  }

  private static long committed(
      Map<TopicPartition, OffsetAndMetadata> all, ConsumerRecord<byte[], byte[]> record) {
    OffsetAndMetadata offset = all.get(new TopicPartition(record.topic(), record.partition()));
    return offset == null ? 0 : offset.offset();
  }

  private static List<String> topics(Role role) {
    return role == Role.ONTOLOGY_WORKER ? Topics.EVENTS : List.of(Topics.INSTANCES);
  }

  /** Returns the partitions of instances that each process of a role has, by its name. */
  Map<String, Set<Integer>> assignment(Role role) throws Exception {
    var group = admin.describeConsumerGroups(List.of(role.text())).all().get().get(role.text());
    return Objects.requireNonNull(group).members().stream()
        .collect(
            Collectors.toMap(
                it -> it.groupInstanceId().orElse(""),
                it ->
                    it.assignment().topicPartitions().stream()
                        .filter(partition -> partition.topic().equals(Topics.INSTANCES))
                        .map(TopicPartition::partition)
                        .collect(Collectors.toSet())));
  }

  /** Lets the others of its role have the partitions of a process that has ended. */
  void remove(Role role, String name) throws Exception {
    var options = new RemoveMembersFromConsumerGroupOptions(Set.of(new MemberToRemove(name)));
    admin.removeMembersFromConsumerGroup(role.text(), options).all().get();
  }

  @Override
  public void close() {
    publisher.close();
    reader.close();
    admin.close();
  }
}
