package dev.once.bench;

import dev.once.events.Event;
import dev.once.events.EventConsumer;
import dev.once.events.ProcessedEvents;
import dev.once.events.Settlement;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;

/** Once's consumer of events, with its registry and without. */
record OnceConsumer(BenchDatabase database, int threads, int events) {
  Contestant<Supplier<ConsumerProcess>> transactional() {
    return new Contestant<>(
        "Once, transactional",
        "effects, registry and sequence of up to 32 events in one commit",
        () ->
            start(
                "transactional",
                it ->
                    registered(it)
                        .startTransactional(
                            (event, connection) -> RunRows.insert(connection, event.id()))));
  }

  Contestant<Supplier<ConsumerProcess>> leased() {
    return new Contestant<>(
        "Once, leased",
        "1 commit for the effect; claims and settlements share commits",
        () -> start("leased", it -> registered(it).start((event, execution) -> write(event))));
  }

  Contestant<Supplier<ConsumerProcess>> withoutRegistry() {
    return new Contestant<>(
        "the same consumer without registry",
        "1 commit for the effect; sequences in memory, forgotten with the process",
        () ->
            start(
                "unregistered",
                it -> it.withoutRegistry().start((event, execution) -> write(event))));
  }

  private EventConsumer.Builder registered(EventConsumer.Builder builder) {
    return builder.registry(ProcessedEvents.over(database.pool()));
  }

  private void write(Event event) throws Exception {
    database.lend(connection -> RunRows.insert(connection, event.id()));
  }

  private ConsumerProcess start(
      String handler, Function<EventConsumer.Builder, EventConsumer> start) {
    EventConsumer consumer =
        start.apply(EventConsumer.named(handler).concurrency(threads).maxPending(events));
    return new ConsumerProcess() {
      @Override
      public void handle(List<Event> delivered) throws Exception {
        for (CompletableFuture<Settlement> settlement : consumer.submit(delivered)) {
          settlement.get();
        }
      }

      @Override
      public void close() {
        consumer.close();
      }
    };
  }
}
