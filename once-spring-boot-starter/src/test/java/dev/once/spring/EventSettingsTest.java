package dev.once.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.once.events.Event;
import dev.once.events.EventExecution;
import dev.once.events.ProcessedEvents;
import dev.once.spring.EventsProperties.GiveUp;
import dev.once.spring.EventsProperties.HandlerSettings;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import tools.jackson.databind.json.JsonMapper;

/** Settings of events and their variables; what is invalid is refused and named. */
class EventSettingsTest {
  private final Map<String, Object> properties = new HashMap<>();
  private final StandardEnvironment environment = new StandardEnvironment();
  private final EventVariables variables = new EventVariables(environment);

  EventSettingsTest() {
    environment.getPropertySources().addFirst(new MapPropertySource("test", properties));
  }

  static class Good {
    @OnceEvent(handler = "worker", topics = "t", types = "a")
    public void one(Event event, EventExecution execution) {}

    @OnceEvent(handler = "worker", topics = "u", types = "b")
    public void other(Map<String, String> data) {}

    @OnceEvent(handler = "instance_worker", topics = "t")
    public void create(Event event) {}
  }

  static class TwoData {
    @OnceEvent(handler = "h", topics = "t")
    public void on(String one, byte[] other) {}
  }

  static class NoEvent {
    @OnceEvent(handler = "h", topics = "t")
    public void on(EventExecution execution) {}
  }

  static class Returning {
    @OnceEvent(handler = "h", topics = "t")
    public String on(Event event) {
      return event.id();
    }
  }

  static class Fenced {
    @OnceEvent(handler = "h", topics = "t", mode = OnceEvent.Mode.TRANSACTIONAL)
    public void on(Event event, EventExecution execution) {}
  }

  static class SameType {
    @OnceEvent(handler = "h", topics = "t", types = "a")
    public void one(Event event) {}

    @OnceEvent(
        handler = "h",
        types = {"b", "a"})
    public void other(Event event) {}
  }

  static class TwoForAll {
    @OnceEvent(handler = "h", topics = "t")
    public void one(Event event) {}

    @OnceEvent(handler = "h")
    public void other(Event event) {}
  }

  static class Mixed {
    @OnceEvent(handler = "h", topics = "t", types = "a")
    public void one(Event event) {}

    @OnceEvent(handler = "h", types = "b", mode = OnceEvent.Mode.TRANSACTIONAL)
    public void other(Event event) {}
  }

  static class Transactional {
    @OnceEvent(handler = "h", topics = "t", mode = OnceEvent.Mode.TRANSACTIONAL)
    public void on(Event event) {}
  }

  static class NoTopics {
    @OnceEvent(handler = "h")
    public void on(Event event) {}
  }

  static class BadName {
    @OnceEvent(handler = "a handler", topics = "t")
    public void on(Event event) {}
  }

  @Test
  void makesOneHandlerOfTheMethodsThatShareItsName() {
    List<EventHandler> handlers = handlers(new Good());

    assertThat(handlers)
        .extracting(EventHandler::name)
        .containsExactly("instance_worker", "worker");
    assertThat(handlers.get(1).topics()).containsExactlyInAnyOrder("t", "u");
    assertThat(handlers.get(1).byType()).containsOnlyKeys("a", "b");
  }

  @Test
  void refusesParametersThatNothingIsFor() {
    refuses(new TwoData(), "TwoData.on must take an event, its data, or both");
    refuses(new NoEvent(), "NoEvent.on must take an event, its data, or both");
    refuses(new Fenced(), "Fenced.on is transactional and takes an EventExecution");
    refuses(new Returning(), "Returning.on returns a value");
  }

  @Test
  void refusesMethodsOfAHandlerThatContradictEachOther() {
    refuses(new SameType(), "of the handler h both handle events of type a");
    refuses(new TwoForAll(), "both handle events of all types that no other method handles");
    refuses(new Mixed(), "of the same handler is");
    refuses(new NoTopics(), "NoTopics.on has no topics");
    refuses(new BadName(), "BadName.on is invalid: handler must have 1 to 100 letters");
  }

  @Test
  void readsTheVariablesOfTheRegistry() {
    properties.put("ENABLE_PROCESSED_EVENT_REGISTRY", "false");
    properties.put("PROCESSED_EVENT_LEASE_TIMEOUT_SECONDS", "60");
    properties.put("PROCESSED_EVENT_HEARTBEAT_INTERVAL_SECONDS", "5");
    properties.put("PROCESSED_EVENT_OWNER", "host-1");

    RegistrySettings settings = RegistrySettings.of(settings().registry(), variables);

    assertThat(settings.isEnabled()).isFalse();
    assertThat(settings.lease()).isEqualTo(Duration.ofSeconds(60));
    assertThat(settings.heartbeat()).contains(Duration.ofSeconds(5));
    assertThat(settings.owner()).contains("host-1");
  }

  @Test
  void prefersASettingUnderOnceToAVariable() {
    properties.put("ENABLE_PROCESSED_EVENT_REGISTRY", "false");
    properties.put("once.events.registry.enabled", "true");
    properties.put("PROCESSED_EVENT_LEASE_TIMEOUT_SECONDS", "60");
    properties.put("once.events.registry.lease", "2m");
    properties.put("WORKER_MAX_RETRY_ATTEMPTS", "3");
    properties.put("once.events.handlers.worker.attempts", "4");

    RegistrySettings registry = RegistrySettings.of(settings().registry(), variables);

    assertThat(registry.isEnabled()).isTrue();
    assertThat(registry.lease()).isEqualTo(Duration.ofMinutes(2));
    assertThat(registry.heartbeat()).as("left to the lease").isEmpty();
    assertThat(plan(new Good(), "worker").attempts()).isEqualTo(4);
  }

  @Test
  void readsTheAttemptsOfAHandlerFromItsVariable() {
    properties.put("WORKER_MAX_RETRY_ATTEMPTS", "3");
    properties.put("INSTANCE_WORKER_MAX_RETRIES", "7");

    assertThat(plan(new Good(), "worker").attempts()).isEqualTo(3);
    assertThat(plan(new Good(), "instance_worker").attempts()).isEqualTo(7);
  }

  @Test
  void skipsForTheWorkersWhoseVariablesSaySoAndKeepsDeadLettersForOthers() {
    assertThat(plan(new Good(), "instance_worker").giveUp()).isEqualTo(GiveUp.SKIP);
    assertThat(plan(new Good(), "worker").giveUp()).isEqualTo(GiveUp.DEAD_LETTER);
    assertThat(plan(new Good(), "worker").deadLetterTopic()).isEqualTo("worker_dlq");
  }

  @Test
  void namesTheVariableOfABadValue() {
    properties.put("WORKER_MAX_RETRY_ATTEMPTS", "many");
    assertThatThrownBy(() -> plan(new Good(), "worker"))
        .hasMessage("WORKER_MAX_RETRY_ATTEMPTS must be a number of 1 to 10000, got many.");

    properties.put("WORKER_MAX_RETRY_ATTEMPTS", "3");
    properties.put("WORKER_MAX_RETRIES", "4");
    assertThatThrownBy(() -> plan(new Good(), "worker"))
        .hasMessage("WORKER_MAX_RETRY_ATTEMPTS is 3, but WORKER_MAX_RETRIES is 4.");

    properties.put("ENABLE_PROCESSED_EVENT_REGISTRY", "perhaps");
    assertThatThrownBy(() -> RegistrySettings.of(settings().registry(), variables))
        .hasMessageContaining("ENABLE_PROCESSED_EVENT_REGISTRY must be true or false, got perhaps");

    properties.put("EVENT_STORE_IDEMPOTENCY_MISMATCH_MODE", "ignore");
    assertThatThrownBy(variables::ofStores)
        .hasMessageContaining("EVENT_STORE_IDEMPOTENCY_MISMATCH_MODE");

    properties.put("EVENT_PUBLISHER_BATCH_SIZE", "0");
    assertThatThrownBy(variables::ofRelays).hasMessageContaining("EVENT_PUBLISHER_BATCH_SIZE");
  }

  @Test
  void namesTheSettingOfABadValue() {
    properties.put("once.events.handlers.worker.attempts", "0");
    assertThatThrownBy(() -> plan(new Good(), "worker"))
        .hasMessage(
            "once.events.handlers.worker cannot be used: attempts must be 1 to 10000, got 0.");

    properties.put("once.events.handlers.worker.attempts", "1");
    properties.put("once.events.handlers.worker.batch-size", "10");
    assertThatThrownBy(() -> plan(new Good(), "worker"))
        .hasMessageContaining("once.events.handlers.worker.batch-size is set, but");

    properties.put("once.events.handlers.worker.batch-size", "1");
    properties.put("once.events.handlers.worker.give-up", "skip");
    properties.put("once.events.handlers.worker.on-outage", "dead-letter");
    assertThatThrownBy(() -> plan(new Good(), "worker"))
        .hasMessageContaining("once.events.handlers.worker.on-outage is dead-letter, but");
  }

  @Test
  void takesTheAddressOfKafkaFromSpringUnlessItHasItsOwn() {
    assertThatThrownBy(() -> kafka().required("this"))
        .hasMessage("this, but no address of Kafka is set.");

    properties.put("spring.kafka.bootstrap-servers", "a:1,b:2");
    properties.put("spring.kafka.properties.security.protocol", "SSL");
    properties.put("once.events.kafka.properties.client.id", "shop");
    assertThat(kafka().required("this"))
        .containsOnly(
            Map.entry("bootstrap.servers", "a:1,b:2"),
            Map.entry("security.protocol", "SSL"),
            Map.entry("client.id", "shop"));

    properties.put("once.events.kafka.bootstrap-servers", "c:3");
    assertThat(kafka().required("this")).containsEntry("bootstrap.servers", "c:3");
  }

  @Test
  void neverShowsTheSettingsOfKafkaWithTheirValues() {
    properties.put("once.events.kafka.properties.sasl.jaas.config", "secret");

    assertThat(settings().toString()).contains("sasl.jaas.config").doesNotContain("secret");
  }

  @Test
  void asksForAMethodOfAHandlerThatIsSet() {
    properties.put("once.events.handlers.wroker.attempts", "1");

    assertThatThrownBy(consumers(new Good())::afterSingletonsInstantiated)
        .hasMessage("once.events.handlers.wroker is set, but no method handles events for it.");
  }

  @Test
  void findsTheSettingsOfAHandlerWhoseNameLostItsSeparators() {
    properties.put("once.events.handlers.instanceworker.enabled", "false");

    assertThat(consumers(new Good()).handlers()).containsExactly("worker");
  }

  @Test
  void refusesATransactionalMethodWithoutARegistry() {
    properties.put("ENABLE_PROCESSED_EVENT_REGISTRY", "false");

    assertThatThrownBy(consumers(new Transactional())::afterSingletonsInstantiated)
        .hasMessageContaining(
            "Transactional.on is transactional, but the registry of processed events is disabled");
  }

  private EventConsumers consumers(Object bean) {
    DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
    beans.registerSingleton("bean", bean);
    return new EventConsumers(
        new EventMethods(beans, JsonMapper::new),
        beans.getBeanProvider(ProcessedEvents.class),
        OnceDatabase.of(beans, null, null),
        settings(),
        variables,
        kafka(),
        List.of());
  }

  private void refuses(Object bean, String message) {
    assertThatThrownBy(() -> handlers(bean).forEach(it -> plan(it)))
        .isInstanceOf(MisconfiguredException.class)
        .hasMessageContaining(message);
  }

  private static List<EventHandler> handlers(Object... beans) {
    DefaultListableBeanFactory factory = new DefaultListableBeanFactory();
    Arrays.stream(beans)
        .forEach(it -> factory.registerSingleton(it.getClass().getSimpleName(), it));
    return EventHandler.of(new EventMethods(factory, JsonMapper::new).find());
  }

  private ConsumerPlan plan(Object bean, String handler) {
    return handlers(bean).stream()
        .filter(it -> it.name().equals(handler))
        .map(this::plan)
        .findFirst()
        .orElseThrow();
  }

  private ConsumerPlan plan(EventHandler handler) {
    HandlerSettings of =
        Binder.get(environment)
            .bindOrCreate(
                "once.events.handlers." + handler.name().replaceAll("[_ ]", "-"),
                Bindable.of(HandlerSettings.class));
    return ConsumerPlan.of(handler, of, settings(), variables);
  }

  private KafkaClients kafka() {
    return new KafkaClients(settings().kafka(), environment);
  }

  private EventsProperties settings() {
    return Binder.get(environment).bindOrCreate("once.events", EventsProperties.class);
  }
}
