package dev.once.kafka;

import dev.once.events.EventConsumer;
import dev.once.events.ReceivedEvent;
import dev.once.events.Settlement;
import dev.once.internal.Limits;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/**
 * Feeds an {@link EventConsumer} from Kafka. It goes on receiving while events are handled, and
 * commits the offset before the first record that is not settled. While the registry cannot be
 * reached, or many events are pending, it pauses its partitions. A record that is no event goes to
 * the dead-letter topic and never blocks the others; the consumer's listener is told.
 *
 * <p>It receives what {@link KafkaEventPublisher} published, and CloudEvents 1.0 of any producer,
 * in binary and in structured mode ({@code application/cloudevents+json}). These need, beside the
 * attributes that every CloudEvent has, {@code subject} and the extension attributes {@code
 * aggregatetype} and {@code sequence}, a decimal number; {@code kind} is {@code event} unless it is
 * {@code command}. One that lacks an attribute goes to the dead-letter topic, and the reason names
 * the attribute. The content type tells the kinds of records apart, never the value: Once's own
 * records are {@code application/vnd.once.event+json}. An id must be unique over all producers of
 * the topics.
 *
 * <p>Another consumer may get a partition while events of it are still handled here: the lease of
 * each event in the registry decides which of them may settle it, not the assignment.
 */
public final class KafkaEventSource implements AutoCloseable {
  /** Records that may be received and not committed, before partitions are paused. */
  public static final int MAX_OUTSTANDING = 2000;

  /** Bytes of such records. */
  public static final long MAX_OUTSTANDING_BYTES = 64L << 20;

  private static final Logger LOG = System.getLogger(KafkaEventSource.class.getName());
  private static final Duration LOG_INTERVAL = Duration.ofSeconds(30);
  private static final int NOT_BUSY = -1;
  private static final Duration POLL = Duration.ofMillis(100);
  private static final Duration COMMIT_TIMEOUT = Duration.ofSeconds(10);
  private static final Duration MAX_PAUSE = Duration.ofSeconds(5);

  private final String handler;
  private final List<String> topics;
  private final EventConsumer events;
  private final DeadLetterTopic deadLetters;
  private final KafkaConsumer<byte[], byte[]> kafka;
  private final Map<TopicPartition, PartitionOffsets> partitions = new HashMap<>();
  private final Thread thread;
  private final CountDownLatch ended = new CountDownLatch(1);

  /** How many events may be pending before partitions are resumed, after a rejection. */
  private int busyAbove = NOT_BUSY;

  private @Nullable Long loggedNanos;
  private volatile boolean closed;
  private volatile @Nullable Throwable failure;
  private volatile long lag;

  /**
   * Creates a source.
   *
   * @param handler the name of the handler, which is its consumer group
   * @param config the settings of Kafka's consumer, such as {@code bootstrap.servers}; those on
   *     which the promises rest are fixed
   * @param events handles the events; closed with this
   * @param deadLetters gets records that are no events
   */
  public KafkaEventSource(
      String handler,
      Map<String, Object> config,
      Collection<String> topics,
      EventConsumer events,
      DeadLetterTopic deadLetters) {
    Limits.text("handler", handler, 1, 100);
    Map<String, Object> fixed = new HashMap<>();
    fixed.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest"); // A new handler misses nothing.
    fixed.putAll(config);
    fixed.put(ConsumerConfig.GROUP_ID_CONFIG, handler);
    fixed.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    fixed.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    this.handler = handler;
    this.topics = List.copyOf(topics);
    this.events = events;
    this.deadLetters = deadLetters;
    this.kafka =
        new KafkaConsumer<>(fixed, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    this.thread = new Thread(this::run, "once-kafka-" + handler);
    this.thread.setDaemon(true);
  }

  /** Starts to receive, on a thread of its own. */
  public KafkaEventSource start() {
    thread.start();
    return this;
  }

  /** Returns why it ended before it was closed, such as an outage under a policy to fail fast. */
  public Optional<Throwable> failure() {
    return Optional.ofNullable(failure);
  }

  /**
   * Returns how many records of its partitions were not received yet, as far as Kafka has told;
   * those that were received and are not settled are {@link EventConsumer#pending}.
   */
  public long lag() {
    return lag;
  }

  /** Waits until it has ended, because it was closed or failed. */
  public boolean awaitEnd(Duration timeout) throws InterruptedException {
    return ended.await(timeout.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Stops receiving, waits for running effects, and commits what is settled. */
  @Override
  public void close() {
    closed = true;
    kafka.wakeup();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    try {
      kafka.subscribe(topics, new Rebalance());
      int failures = 0;
      while (!closed) {
        try {
          receive();
          failures = 0;
        } catch (WakeupException e) {
          // Closed, which the loop sees.
        } catch (RuntimeException | Error e) { // Also an Error: nothing else would receive.
          if (events.isClosed()) {
            throw e;
          }
          logSometimes(e);
          pause(++failures);
        }
      }
    } catch (Throwable e) {
      failure = e;
      LOG.log(Level.ERROR, "events.receive_ended handler=" + handler, e);
    } finally {
      end();
    }
  }

  /** Logs a failure, unless another one was logged a short time ago: an outage may be long. */
  private void logSometimes(Throwable failure) {
    long now = System.nanoTime();
    Long last = loggedNanos;
    if (last == null || now - last >= LOG_INTERVAL.toNanos()) {
      loggedNanos = now;
      LOG.log(Level.WARNING, "events.receive_failed handler=" + handler, failure);
    }
  }

  /** Receives records, hands them over and commits what is settled meanwhile. */
  private void receive() throws InterruptedException, ExecutionException {
    if (mustPause()) {
      kafka.pause(kafka.assignment());
    } else {
      kafka.resume(kafka.paused());
    }
    ConsumerRecords<byte[], byte[]> received = kafka.poll(POLL);
    try {
      submit(received);
    } catch (RuntimeException | Error e) {
      receiveAgain(received);
      throw e;
    }
    requireNoFailure();
    commit(Set.copyOf(partitions.keySet()));
    lag = kafka.assignment().stream().mapToLong(it -> kafka.currentLag(it).orElse(0)).sum();
  }

  private boolean mustPause() {
    if (busyAbove >= 0 && events.pending() <= busyAbove) {
      busyAbove = NOT_BUSY;
    }
    return events.isPaused()
        || busyAbove != NOT_BUSY
        || partitions.values().stream().mapToInt(PartitionOffsets::size).sum() >= MAX_OUTSTANDING
        || partitions.values().stream().mapToLong(PartitionOffsets::bytes).sum()
            >= MAX_OUTSTANDING_BYTES;
  }

  /** Goes back to the first of these records: a later one must not be committed without them. */
  private void receiveAgain(ConsumerRecords<byte[], byte[]> received) {
    for (TopicPartition partition : received.partitions()) {
      long first = received.records(partition).get(0).offset();
      offsets(partition).discardFrom(first);
      kafka.seek(partition, first);
    }
  }

  private void submit(ConsumerRecords<byte[], byte[]> received) throws InterruptedException {
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    List<ReceivedEvent> batch = new ArrayList<>();
    for (ConsumerRecord<byte[], byte[]> record : received) {
      ReceivedEvent event = read(record);
      if (event != null) {
        records.add(record);
        batch.add(event);
      }
    }
    if (!batch.isEmpty()) {
      submit(records, batch);
    }
  }

  private void submit(List<ConsumerRecord<byte[], byte[]>> records, List<ReceivedEvent> batch) {
    try {
      List<CompletableFuture<Settlement>> settlements = events.submitReceived(batch);
      for (int i = 0; i < records.size(); i++) {
        track(records.get(i), settlements.get(i));
      }
    } catch (RejectedExecutionException e) {
      submitSome(records, batch, e);
    }
  }

  /** Submits as many as the consumer takes; the others are received again when it is less busy. */
  private void submitSome(
      List<ConsumerRecord<byte[], byte[]>> records,
      List<ReceivedEvent> batch,
      RejectedExecutionException rejected) {
    if (events.isClosed()) {
      throw rejected;
    }
    Set<TopicPartition> full = new HashSet<>();
    for (int i = 0; i < records.size(); i++) {
      ConsumerRecord<byte[], byte[]> record = records.get(i);
      TopicPartition partition = new TopicPartition(record.topic(), record.partition());
      if (full.contains(partition)) {
        continue;
      }
      try {
        track(record, events.submitReceived(List.of(batch.get(i))).get(0));
      } catch (RejectedExecutionException e) {
        full.add(partition);
        offsets(partition).discardFrom(record.offset());
        kafka.seek(partition, record.offset());
        busyAbove = events.pending() / 2;
      }
    }
  }

  private void track(
      ConsumerRecord<byte[], byte[]> record, @Nullable CompletableFuture<Settlement> settlement) {
    int bytes = Math.max(0, record.serializedValueSize());
    offsets(new TopicPartition(record.topic(), record.partition()))
        .add(record.offset(), bytes, settlement);
  }

  private PartitionOffsets offsets(TopicPartition partition) {
    return partitions.computeIfAbsent(partition, same -> new PartitionOffsets());
  }

  /** Returns the event of a record; null if it is none and has become a dead letter. */
  private @Nullable ReceivedEvent read(ConsumerRecord<byte[], byte[]> record)
      throws InterruptedException {
    String reason;
    try {
      return new ReceivedEvent(EventRecords.read(record), EventRecords.otherHeaders(record));
    } catch (IllegalArgumentException e) {
      reason = String.valueOf(e.getMessage());
    }
    try {
      deadLetters.accept(handler, record, reason);
    } catch (ExecutionException | TimeoutException e) {
      throw new KafkaException("the dead-letter topic does not take a record", e);
    }
    events.reportUnreadable(
        "%s-%d@%d".formatted(record.topic(), record.partition(), record.offset()), reason);
    track(record, null);
    return null;
  }

  /** An event fails only by the policy to fail fast: its effect did not run, and others stop. */
  private void requireNoFailure() throws ExecutionException {
    for (PartitionOffsets offsets : partitions.values()) {
      Optional<Throwable> cause = offsets.failure();
      if (cause.isPresent()) {
        throw new ExecutionException(
            "handler " + handler + " cannot go on: " + cause.get().getMessage(), cause.get());
      }
    }
  }

  private void commit(Collection<TopicPartition> of) {
    Map<TopicPartition, OffsetAndMetadata> settled = new HashMap<>();
    for (TopicPartition partition : of) {
      PartitionOffsets offsets = partitions.get(partition);
      if (offsets != null) {
        offsets.settled().ifPresent(next -> settled.put(partition, new OffsetAndMetadata(next)));
      }
    }
    if (!settled.isEmpty()) {
      kafka.commitSync(settled, COMMIT_TIMEOUT);
      settled.forEach((partition, next) -> offsets(partition).committed(next.offset()));
    }
  }

  private void pause(int failures) throws InterruptedException {
    Thread.sleep(Math.min(MAX_PAUSE.toMillis(), 50L << Math.min(failures, 10)));
  }

  private void end() {
    try {
      events.close();
      commit(Set.copyOf(partitions.keySet()));
    } catch (RuntimeException e) {
      // Records that are not committed are received again, and found settled.
    } finally {
      kafka.close();
      ended.countDown();
    }
  }

  private final class Rebalance implements ConsumerRebalanceListener {
    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> assigned) {}

    /** Events that have not started are withdrawn; the next owner receives them. */
    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> revoked) {
      cancel(revoked);
      try {
        commit(revoked);
      } finally {
        revoked.forEach(partitions::remove);
      }
    }

    /** Another consumer may have the partitions: to commit could undo its commits. */
    @Override
    public void onPartitionsLost(Collection<TopicPartition> lost) {
      cancel(lost);
      lost.forEach(partitions::remove);
    }

    private void cancel(Collection<TopicPartition> of) {
      for (TopicPartition partition : of) {
        PartitionOffsets offsets = partitions.get(partition);
        if (offsets != null) {
          offsets.cancel();
        }
      }
    }
  }
}
