package dev.once.spring;

import static org.assertj.core.api.Assertions.assertThatCode;

import dev.once.EngineEvent;
import dev.once.events.ConsumerEvent;
import dev.once.events.Settlement;
import dev.once.inbox.InboxEvent;
import dev.once.jobs.JobEvent;
import dev.once.webhooks.WebhookEvent;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Every event is logged and counted, or named by the listener that ignores it. */
class EveryEventTest {
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
                var settled =
                    new ConsumerEvent.Settled("a", Settlement.class.cast(EventSamples.of(type)));
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
        assertThatCode(() -> listener.accept(events.cast(EventSamples.of(type))))
            .doesNotThrowAnyException();
      }
    }
  }
}
