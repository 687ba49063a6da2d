package dev.once.cli;

import dev.once.events.Event;
import dev.once.events.EventStore;
import dev.once.events.Relay;
import dev.once.events.RelaySettings;
import dev.once.kafka.KafkaEventPublisher;
import dev.once.s3.S3EventStore;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ./once relay}: publishes the log to Kafka until a signal ends it. */
@Command(name = "relay")
final class RelayCommand implements Callable<Integer> {
  private final Session session;

  @Mixin private final StoreOptions stores = new StoreOptions();
  @Mixin private final KafkaOptions kafka = new KafkaOptions();
  @Mixin private final OutputOption output = new OutputOption();

  @Option(names = "--name")
  private String name = "relay";

  RelayCommand(Session session) {
    this.session = session;
  }

  @Override
  @SuppressWarnings("try") // The relay works until it is closed.
  public Integer call() throws InterruptedException {
    Function<Event, String> topics = kafka.topics();
    RelaySettings settings = RelaySettings.of(session.environment());
    try (OpenStore opened = stores.openWithDatabase(session)) {
      Map<String, Object> config = kafka.config();
      try (KafkaEventPublisher publisher = new KafkaEventPublisher(name, config, topics);
          Relay relay = relay(opened, publisher, settings).start()) {
        session.note("relay " + name + " is running; Ctrl-C stops it");
        new CountDownLatch(1).await();
      } finally {
        session.note("relay " + name + " has ended");
      }
    }
    return 0;
  }

  private Relay relay(OpenStore opened, KafkaEventPublisher publisher, RelaySettings settings) {
    EventStore store = opened.store();
    if (store instanceof S3EventStore onS3) {
      onS3.check();
    }
    Relay.Builder builder =
        Relay.builder(name, store.log(), publisher, opened.database())
            .schema(opened.settings().schema())
            .settings(settings)
            .owner(ProcessOwner.name())
            .listener(new RelayPrinter(session, output));
    return store instanceof S3EventStore onS3
        ? builder.checkpoints(onS3.checkpoints()).build()
        : builder.build();
  }
}
