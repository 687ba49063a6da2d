package dev.once.spring;

import static org.assertj.core.api.Assertions.assertThatCode;

import dev.once.EngineEvent;
import dev.once.Headers;
import dev.once.Key;
import dev.once.TenantLimits;
import dev.once.events.Aggregate;
import dev.once.events.ConsumerEvent;
import dev.once.events.Event;
import dev.once.events.EventData;
import dev.once.events.ProcessedState;
import dev.once.events.RegistryOutage;
import dev.once.events.Settlement;
import dev.once.inbox.InboxEvent;
import dev.once.jobs.JobEvent;
import dev.once.jobs.JobKey;
import dev.once.jobs.JobState;
import dev.once.webhooks.WebhookEvent;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every event is logged and counted, or named by the listener that ignores it. */
class EveryEventTest {
  private static final Event EVENT =
      new Event(EventData.of("e-1", new Aggregate("order", "o-1"), "a", "{}"), 1, Instant.EPOCH);

  private static final Map<Class<?>, Object> SAMPLES =
      Map.ofEntries(
          Map.entry(Key.class, new Key("acme", "payments", "p-1")),
          Map.entry(JobKey.class, new JobKey("acme", "mail", "welcome", "user-42")),
          Map.entry(String.class, "a"),
          Map.entry(int.class, 1),
          Map.entry(long.class, 1L),
          Map.entry(boolean.class, true),
          Map.entry(Duration.class, Duration.ofSeconds(1)),
          Map.entry(Headers.class, Headers.NONE),
          Map.entry(JobState.class, JobState.READY),
          Map.entry(TenantLimits.Limit.class, TenantLimits.Limit.BYTES),
          Map.entry(Optional.class, Optional.empty()),
          Map.entry(Event.class, EVENT),
          Map.entry(Settlement.class, new Settlement.Stale(EVENT)),
          Map.entry(RegistryOutage.class, RegistryOutage.PAUSE),
          Map.entry(ProcessedState.class, ProcessedState.DONE),
          Map.entry(Throwable.class, new IllegalStateException("a")),
          Map.entry(Exception.class, new IllegalStateException("a")));

  private final MeterRegistry registry = new SimpleMeterRegistry();

  @Test
  void isHandledByTheListenersOfTheEngine() {
    handles(EngineEvent.class, new EngineLog()::on, new EngineMetrics(registry)::on);
  }

  @Test
  void isHandledByTheListenersOfJobs() {
    handles(JobEvent.class, new JobLog()::on, new JobMetrics(registry)::on);
  }

  @Test
  void isHandledByTheListenersOfTheInbox() {
    handles(InboxEvent.class, new InboxLog()::on, new InboxMetrics(registry, List.of())::on);
  }

  @Test
  void isHandledByTheListenersOfSentWebhooks() {
    handles(WebhookEvent.class, new WebhookLog()::on, new WebhookMetrics(registry)::on);
  }

  @Test
  void isHandledByTheListenersOfConsumers() {
    handles(ConsumerEvent.class, new ConsumerLog()::on, new ConsumerMetrics(registry)::on);
  }

  @Test
  void isHandledByTheListenersOfConsumersHoweverItWasSettled() {
    for (Class<?> type : Settlement.class.getPermittedSubclasses()) {
      assertThatCode(
              () -> {
                var settled = new ConsumerEvent.Settled("a", Settlement.class.cast(sample(type)));
                new ConsumerLog().on(settled);
                new ConsumerMetrics(registry).on(settled);
              })
          .doesNotThrowAnyException();
    }
  }

  @SafeVarargs
  private static <E> void handles(Class<E> events, Consumer<? super E>... listeners) {
    for (Class<?> type : events.getPermittedSubclasses()) {
      for (Consumer<? super E> listener : listeners) {
        assertThatCode(() -> listener.accept(events.cast(sample(type)))).doesNotThrowAnyException();
      }
    }
  }

  private static Object sample(Class<?> event) throws ReflectiveOperationException {
    Class<?>[] types =
        Stream.of(event.getRecordComponents())
            .map(RecordComponent::getType)
            .toArray(Class<?>[]::new);
    return event
        .getDeclaredConstructor(types)
        .newInstance(Stream.of(types).map(SAMPLES::get).toArray());
  }
}
