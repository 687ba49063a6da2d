package dev.once.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.events.Aggregate;
import dev.once.events.ConsumerEvent;
import dev.once.events.Event;
import dev.once.events.EventData;
import dev.once.events.RelayReport;
import dev.once.events.Settlement;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is counted of consumers and relays. */
class ConsumerMetricsTest {
  private static final Event EVENT =
      new Event(
          EventData.of("secret", new Aggregate("order", "secret"), "a", "{}"), 1, Instant.EPOCH);

  private final MeterRegistry registry = new SimpleMeterRegistry();

  @Test
  void countsWhatHappensByHandlerAndNeverHasAnEventInATag() {
    ConsumerMetrics metrics = new ConsumerMetrics(registry);
    metrics.on(new ConsumerEvent.Settled("mail", new Settlement.Handled(EVENT, 1, 1)));
    metrics.on(new ConsumerEvent.Settled("mail", new Settlement.Dead(EVENT, "no")));
    metrics.on(new ConsumerEvent.LeaseLost("mail", EVENT, 1));

    assertThat(count("handled")).isEqualTo(1);
    assertThat(count("dead")).isEqualTo(1);
    assertThat(count("lease_lost")).isEqualTo(1);
    assertThat(count("skipped")).isZero();
    assertThat(registry.getMeters()).noneMatch(it -> it.getId().toString().contains("secret"));
  }

  @Test
  void showsTheLastReportOfARelay() {
    RelayMetrics metrics = new RelayMetrics(registry);
    metrics.report(report(true, 3));
    metrics.report(report(false, 5));
    metrics.failed("events", new IllegalStateException("no"));

    assertThat(registry.get("once_relay_published").functionCounter().count()).isEqualTo(5);
    assertThat(registry.get("once_relay_active").gauge().value()).isZero();
    assertThat(registry.get("once_relay_held_age").gauge().value()).isZero();
    assertThat(registry.get("once_relay_failures").counter().count()).isEqualTo(1);
  }

  @Test
  void logsTheReportOfARelay() {
    try (LogLines log = LogLines.of(RelayLog.class)) {
      new RelayLog().report(report(true, 3));

      assertThat(log.lines())
          .containsExactly(
              "INFO event_publisher.metrics relay=events active=true published=3 late=0"
                  + " suppressed=0 failures=0 position=p");
    }
  }

  private static RelayReport report(boolean isActive, long published) {
    return new RelayReport("events", isActive, published, 0, 0, 0, "p", Optional.empty());
  }

  private double count(String event) {
    return registry
        .get("once_consumer_events")
        .tags("handler", "mail", "event", event)
        .counter()
        .count();
  }
}
