package dev.once.spring;

import dev.once.events.EventConsumer;
import dev.once.kafka.DeadLetterTopic;
import dev.once.kafka.KafkaEventSource;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** The consumer of one handler, while it runs. */
final class RunningConsumer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RunningConsumer.class);

  /** How a consumer is doing. */
  enum State {
    RUNNING,
    /** The registry cannot be reached. */
    PAUSED,
    /** It ended by itself, and handles nothing any more. */
    FAILED
  }

  private final String handler;
  private final EventConsumer consumer;
  private final KafkaEventSource source;
  private final DeadLetterTopic deadLetters;

  private RunningConsumer(
      String handler,
      EventConsumer consumer,
      KafkaEventSource source,
      DeadLetterTopic deadLetters) {
    this.handler = handler;
    this.consumer = consumer;
    this.source = source;
    this.deadLetters = deadLetters;
  }

  /**
   * Starts to receive and handle events.
   *
   * @param kafka the settings of its clients
   * @param start starts the consumer with its registry and its effect
   * @throws RuntimeException if Kafka's client refuses its settings; then nothing runs
   */
  static RunningConsumer start(
      ConsumerPlan plan,
      Map<String, Object> kafka,
      Function<EventConsumer.Builder, EventConsumer> start) {
    DeadLetterTopic deadLetters = new DeadLetterTopic(kafka, plan.deadLetterTopic());
    try {
      EventConsumer consumer = start.apply(plan.builder(deadLetters));
      try {
        KafkaEventSource source = source(plan, kafka, consumer, deadLetters);
        RunningConsumer running =
            new RunningConsumer(plan.name(), consumer, source.start(), deadLetters);
        running.watch();
        return running;
      } catch (RuntimeException e) {
        consumer.close();
        throw e;
      }
    } catch (RuntimeException e) {
      deadLetters.close();
      throw e;
    }
  }

  private static KafkaEventSource source(
      ConsumerPlan plan,
      Map<String, Object> kafka,
      EventConsumer consumer,
      DeadLetterTopic deadLetters) {
    List<String> topics = plan.topics();
    return new KafkaEventSource(plan.name(), kafka, topics, consumer, deadLetters);
  }

  String handler() {
    return handler;
  }

  State state() {
    if (source.failure().isPresent()) {
      return State.FAILED;
    }
    return consumer.isPaused() ? State.PAUSED : State.RUNNING;
  }

  /** Returns how many records were not received yet. */
  long lag() {
    return source.lag();
  }

  /** Returns how many events were received and are not settled. */
  int pending() {
    return consumer.pending();
  }

  /** Stops receiving, waits for running methods and commits what is settled. */
  @Override
  public void close() {
    source.close();
    deadLetters.close();
  }

  /** Reports an end that was not asked for when it happens, and not when health is looked at. */
  private void watch() {
    Thread watch = new Thread(this::awaitEnd, "once-events-" + handler + "-watch");
    watch.setDaemon(true);
    watch.start();
  }

  private void awaitEnd() {
    try {
      while (!source.awaitEnd(Duration.ofHours(1))) {}
    } catch (InterruptedException e) {
      return; // Nothing interrupts this thread; it reports nothing then.
    }
    source
        .failure()
        .ifPresent(
            it ->
                LogLine.of(LOG, Level.ERROR, "events.ended")
                    .with("handler", handler)
                    .with("then", "no event is handled until the application is restarted")
                    .cause(it)
                    .write());
  }
}
