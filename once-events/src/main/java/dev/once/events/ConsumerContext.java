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

  /** Reports a failure. It never throws, so that no background thread ends by a second failure. */
  void trouble(String what, Throwable thrown) {
    try {
      listener.accept(ConsumerEvent.Trouble.of(handler, what, thrown));
    } catch (Throwable e) {
      // No memory is left for the report.
    }
  }
}
