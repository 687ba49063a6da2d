package dev.once.spring;

import dev.once.events.Event;
import dev.once.events.EventStore;
import dev.once.events.Relay;
import dev.once.events.RelayListener;
import dev.once.events.RelaySettings;
import dev.once.kafka.KafkaEventPublisher;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.springframework.context.SmartLifecycle;

/** Publishes the events of the application's event store while it runs. */
final class EventRelay implements SmartLifecycle {
  private static final Logger LOG = LoggerFactory.getLogger(EventRelay.class);

  private final EventStore store;
  private final EventTables tables;
  private final EventsProperties.Relay settings;
  private final RelaySettings batches;
  private final Map<String, Object> kafka;
  private final RelayListener listener;
  private final String topic;
  private @Nullable KafkaEventPublisher publisher;
  private @Nullable Relay relay;

  EventRelay(
      EventStore store,
      EventTables tables,
      EventsProperties.Relay settings,
      RelaySettings batches,
      Map<String, Object> kafka,
      RelayListener listener) {
    if (settings.topic() == null || settings.topic().isBlank()) {
      throw new MisconfiguredException(
          "once.events.relay.enabled is true, but there is no topic for events.",
          "Set once.events.relay.topic; once.events.relay.topics may have others by aggregate"
              + " type.");
    }
    this.store = store;
    this.tables = tables;
    this.settings = settings;
    this.batches = batches;
    this.kafka = kafka;
    this.listener = listener;
    this.topic = settings.topic();
    try {
      var unused = relay(new KafkaEventPublisher(settings.name(), kafka, this::topicOf));
    } catch (IllegalArgumentException e) {
      throw new MisconfiguredException(
          "once.events.relay cannot be used: " + e.getMessage() + ".", "Change the setting.");
    }
  }

  @Override
  public synchronized void start() {
    if (relay == null) {
      publisher = new KafkaEventPublisher(settings.name(), kafka, this::topicOf);
      relay = relay(publisher).start();
      LogLine.of(LOG, Level.INFO, "event_publisher.started")
          .with("relay", settings.name())
          .with("topic", topic)
          .write();
    }
  }

  @Override
  public synchronized void stop() {
    if (relay != null) {
      relay.close();
      relay = null;
    }
    if (publisher != null) {
      publisher.close();
      publisher = null;
    }
  }

  @Override
  public synchronized boolean isRunning() {
    return relay != null;
  }

  private Relay relay(KafkaEventPublisher publisher) {
    return Relay.builder(settings.name(), store.log(), publisher, tables.dataSource())
        .schema(tables.schema())
        .settings(batches)
        .listener(listener)
        .build();
  }

  private String topicOf(Event event) {
    return settings.topics().getOrDefault(event.aggregate().type(), topic);
  }
}
