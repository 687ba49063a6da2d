package dev.once.spring;

import dev.once.events.AppendCondition;
import dev.once.events.ConsumerEvent;
import dev.once.events.ConsumerListener;
import dev.once.events.Event;
import dev.once.events.EventData;
import dev.once.events.EventExecution;
import dev.once.events.EventStore;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import org.slf4j.MDC;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.stereotype.Component;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** An application that appends events to its store and handles those of a topic. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import({
  OrderService.class,
  EventShop.Desk.class,
  EventShop.Listeners.class,
  EventShop.Reports.class
})
class EventShop {
  /** The data of an event. */
  record OrderPlaced(String item) {}

  /** Appends events in a transaction, as services do. */
  @Service
  static class Desk {
    private final EventStore store;

    Desk(EventStore store) {
      this.store = store;
    }

    // snippet: append
    @Transactional
    public void take(EventData placed) {
      store.append(placed, AppendCondition.expecting(0));
    }

    // end

    @Transactional
    public void takeAndFail(EventData placed) {
      store.append(placed);
      throw new IllegalStateException("failed after appending");
    }
  }

  /** What a method observed. */
  record Seen(String handler, String eventId, boolean isInTransaction, String logged) {}

  /** Does its work, and then the action that a test has set. */
  @Service
  static class Listeners {
    final Map<String, Consumer<Event>> afterwards = new ConcurrentHashMap<>();
    final BlockingQueue<Seen> seen = new LinkedBlockingQueue<>();
    private final OrderService orders;

    Listeners(OrderService orders) {
      this.orders = orders;
    }

    // snippet: listener
    @OnceEvent(
        handler = "billing",
        topics = "orders",
        types = "order.placed",
        mode = OnceEvent.Mode.TRANSACTIONAL)
    public void bill(OrderPlaced order, Event event) {
      orders.place(order.item());
      report("billing", event);
    }

    // end

    @OnceEvent(handler = "mailer", topics = "orders", types = "order.mailed")
    public void mail(Event event, EventExecution execution) {
      report("mailer", event);
      afterwards.getOrDefault(event.id() + "#" + execution.attempt(), it -> {}).accept(event);
    }

    @OnceEvent(handler = "projection_worker", topics = "orders", types = "order.indexed")
    public void index(OrderPlaced order) {
      throw new IllegalStateException("no index for " + order.item());
    }

    private void report(String handler, Event event) {
      seen.add(
          new Seen(
              handler,
              event.id(),
              TransactionSynchronizationManager.isActualTransactionActive(),
              MDC.get("handler") + " " + MDC.get("event_id") + " " + MDC.get("event_type")));
      afterwards.getOrDefault(event.id(), it -> {}).accept(event);
    }
  }

  /** What the consumers reported. */
  @Component
  static class Reports implements ConsumerListener {
    final List<ConsumerEvent> all = new CopyOnWriteArrayList<>();

    @Override
    public void on(ConsumerEvent event) {
      all.add(event);
    }

    <T extends ConsumerEvent> List<T> of(Class<T> type) {
      return all.stream().filter(type::isInstance).map(type::cast).toList();
    }
  }
}
