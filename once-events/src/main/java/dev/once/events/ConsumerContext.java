package dev.once.events;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** What the parts of a consumer share. */
record ConsumerContext(
    String handler,
    AggregateQueues queues,
    Consumer<ConsumerEvent> listener,
    BooleanSupplier isClosing) {

  /** Ends a pending event, and reports it unless its source had its answer before. */
  void settled(PendingEvent pending, Settlement settlement) {
    queues.remove(pending);
    if (pending.settlement().complete(settlement)) {
      listener.accept(new ConsumerEvent.Settled(handler, settlement));
    }
  }

  /** Has a pending event claimed again after {@code delay}. */
  void retry(PendingEvent pending, Duration delay) {
    queues.giveBack(pending, delay);
  }

  void report(ConsumerEvent event) {
    listener.accept(event);
  }

  void trouble(String what, Throwable thrown) {
    listener.accept(ConsumerEvent.Trouble.of(handler, what, thrown));
  }
}
