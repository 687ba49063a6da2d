package dev.once.spring;

import dev.once.events.ConsumerEvent;
import dev.once.events.ConsumerListener;
import dev.once.events.EventConsumer;
import dev.once.events.ProcessedEvents;
import dev.once.internal.Listeners;
import dev.once.spring.EventsProperties.HandlerSettings;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.SmartLifecycle;
import org.springframework.util.function.SingletonSupplier;

/**
 * Handles events while the application runs, with one consumer per handler. It starts last and
 * stops first, so that running methods still have every bean that they need.
 */
final class EventConsumers implements SmartInitializingSingleton, SmartLifecycle {
  private static final Logger LOG = LoggerFactory.getLogger(EventConsumers.class);

  private static final HandlerSettings DEFAULTS =
      new Binder().bindOrCreate("defaults", HandlerSettings.class);

  private final EventMethods methods;
  private final ObjectProvider<ProcessedEvents> registry;
  private final OnceDatabase database;
  private final EventsProperties settings;
  private final EventVariables variables;
  private final KafkaClients kafka;
  private final List<Consumer<ConsumerEvent>> listeners;
  private final SingletonSupplier<List<ConsumerPlan>> plans = SingletonSupplier.of(this::plan);
  private volatile List<RunningConsumer> running = List.of();

  EventConsumers(
      EventMethods methods,
      ObjectProvider<ProcessedEvents> registry,
      OnceDatabase database,
      EventsProperties settings,
      EventVariables variables,
      KafkaClients kafka,
      List<ConsumerListener> listeners) {
    this.methods = methods;
    this.registry = registry;
    this.database = database;
    this.settings = settings;
    this.variables = variables;
    this.kafka = kafka;
    this.listeners =
        listeners.stream().map(it -> Listeners.<ConsumerEvent>guarded(it::on)).toList();
  }

  /** Refuses what is invalid even if this process handles no events. */
  @Override
  public void afterSingletonsInstantiated() {
    List<ConsumerPlan> all = plans.obtain();
    if (!all.isEmpty() && settings.consumers()) {
      var unused = kafka.required(all.get(0).handler().where() + " receives events from Kafka");
      if (isRegistryEnabled()) {
        registry.getObject(); // Creates its tables.
      }
    }
  }

  @Override
  public synchronized void start() {
    if (!running.isEmpty() || !settings.consumers()) {
      return;
    }
    List<RunningConsumer> started = new ArrayList<>();
    try {
      for (ConsumerPlan plan : plans.obtain()) {
        if (plan.settings().enabled()) {
          started.add(start(plan));
        }
      }
    } catch (RuntimeException e) {
      closeAll(started);
      throw e;
    }
    running = List.copyOf(started);
  }

  @Override
  public synchronized void stop() {
    closeAll(running);
    running = List.of();
  }

  @Override
  public boolean isRunning() {
    return !running.isEmpty();
  }

  /** Returns the consumers that run in this process. */
  List<RunningConsumer> running() {
    return running;
  }

  /** Returns the names of the handlers that this process has. */
  List<String> handlers() {
    return plans.obtain().stream()
        .filter(it -> settings.consumers() && it.settings().enabled())
        .map(ConsumerPlan::name)
        .toList();
  }

  /** Returns whether the consumers of this application use the registry. */
  boolean hasRegistry() {
    return !plans.obtain().isEmpty() && isRegistryEnabled();
  }

  private List<ConsumerPlan> plan() {
    List<EventHandler> handlers = EventHandler.of(methods.find());
    Set<String> used = new HashSet<>();
    List<ConsumerPlan> found = new ArrayList<>();
    for (EventHandler it : handlers) {
      found.add(ConsumerPlan.of(it, settingsOf(it.name(), used), settings, variables));
      if (it.isTransactional()) {
        requireTransactional(it);
      }
    }
    for (String name : settings.handlers().keySet()) {
      if (!used.contains(name)) {
        throw new MisconfiguredException(
            "once.events.handlers." + name + " is set, but no method handles events for it.",
            "Correct the name, leave the setting out, or have a method with @OnceEvent(handler ="
                + " \""
                + name
                + "\", …).");
      }
    }
    return found;
  }

  /** Returns the settings of a handler; property sources may lack the separators in its name. */
  private HandlerSettings settingsOf(String handler, Set<String> used) {
    for (Map.Entry<String, HandlerSettings> it : settings.handlers().entrySet()) {
      if (uniform(it.getKey()).equals(uniform(handler))) {
        used.add(it.getKey());
        return it.getValue();
      }
    }
    return DEFAULTS;
  }

  private static String uniform(String name) {
    return name.replaceAll("[^A-Za-z0-9]", "").toLowerCase(Locale.ROOT);
  }

  private void requireTransactional(EventHandler handler) {
    if (!isRegistryEnabled()) {
      throw new MisconfiguredException(
          handler.where() + " is transactional, but the registry of processed events is disabled.",
          "Enable it (once.events.registry.enabled, or %s), or write mode = LEASED."
              .formatted(EventVariables.REGISTRY));
    }
    var unused = transactions(handler);
  }

  private SpringEventTransactions transactions(EventHandler handler) {
    String what = handler.where() + " is transactional";
    DataSource dataSource = database.requireDataSource("events", "write mode = LEASED");
    return database
        .requireTransactions(dataSource, what)
        .map(SpringEventTransactions::new)
        .orElseThrow(
            () ->
                new MisconfiguredException(
                    what + ", but " + database.manager().problem() + ".",
                    database.manager().action("Define one.") + " Or write mode = LEASED."));
  }

  private boolean isRegistryEnabled() {
    return RegistrySettings.of(settings.registry(), variables).isEnabled();
  }

  private RunningConsumer start(ConsumerPlan plan) {
    log(plan);
    Map<String, Object> clients = kafka.required("handler " + plan.name());
    try {
      return RunningConsumer.start(plan, clients, builder -> start(plan, builder));
    } catch (RuntimeException e) {
      MisconfiguredException refused =
          new MisconfiguredException(
              "handler %s cannot receive events: %s".formatted(plan.name(), e.getMessage()),
              "Check once.events.kafka (or spring.kafka) and once.events.handlers.%s."
                  .formatted(plan.name()));
      refused.initCause(e);
      throw refused;
    }
  }

  private EventConsumer start(ConsumerPlan plan, EventConsumer.Builder builder) {
    builder.listener(event -> listeners.forEach(it -> it.accept(event)));
    if (isRegistryEnabled()) {
      builder.registry(registry.getObject());
    } else {
      builder.withoutRegistry();
    }
    if (!plan.handler().isTransactional()) {
      return builder.start(plan::handle);
    }
    SpringEventTransactions transactions = transactions(plan.handler());
    return builder
        .transactions(transactions)
        .startTransactional(
            (event, connection) -> {
              plan.handle(event, null);
              transactions.flush();
            });
  }

  private void log(ConsumerPlan plan) {
    LogLine.of(LOG, Level.INFO, "events.started")
        .with("handler", plan.name())
        .with("topics", String.join(",", plan.topics()))
        .with("mode", plan.handler().isTransactional() ? "transactional" : "leased")
        .with("registry", isRegistryEnabled() ? "on" : "off")
        .with("attempts", plan.attempts())
        .with("then", name(plan.giveUp()))
        .with("dead_letters", plan.deadLetterTopic())
        .with("on_outage", name(plan.settings().onOutage()))
        .write();
  }

  private static String name(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Closes all at the same time: each may wait for its running methods. */
  private static void closeAll(List<RunningConsumer> consumers) {
    List<Thread> closing =
        consumers.stream()
            .map(it -> new Thread(it::close, "once-events-" + it.handler() + "-close"))
            .toList();
    closing.forEach(Thread::start);
    try {
      for (Thread it : closing) {
        it.join();
      }
    } catch (InterruptedException e) { // The caller does not wait any longer.
      Thread.currentThread().interrupt();
    }
  }
}
