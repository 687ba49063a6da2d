package dev.once.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.EngineEvent;
import dev.once.Headers;
import dev.once.Key;
import dev.once.console.Alerts.Alert;
import dev.once.jdbc.RecordCensus;
import dev.once.testkit.TestClock;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Rates of the last ten minutes, and the alerts on them. */
class LiveTest {
  private final TestClock clock = new TestClock();
  private final ConsoleRates rates = new ConsoleRates(clock);
  private final Alerts alerts = new Alerts(clock);

  @Test
  void countsEachKindOfAnswerForTenMinutes() {
    granted("acme", 3);
    replayed("acme", 2);
    rates.on(new EngineEvent.Held(key("acme"), Duration.ZERO));
    rates.on(new EngineEvent.Mismatched(key("acme")));
    rates.on(new EngineEvent.Uncertain(key("acme")));

    assertThat(total(RateWindow.Kind.NEW)).isEqualTo(3);
    assertThat(total(RateWindow.Kind.REPLAY)).isEqualTo(2);
    assertThat(total(RateWindow.Kind.IN_FLIGHT)).isEqualTo(1);
    assertThat(total(RateWindow.Kind.MISMATCH)).isEqualTo(1);
    assertThat(total(RateWindow.Kind.ERROR)).isEqualTo(1);
    clock.advance(Duration.ofMinutes(9));
    granted("acme", 1);
    assertThat(total(RateWindow.Kind.NEW)).isEqualTo(4);
    clock.advance(Duration.ofMinutes(2));
    assertThat(total(RateWindow.Kind.NEW)).as("the first are older than ten minutes").isEqualTo(1);
    clock.advance(Duration.ofDays(1));
    assertThat(total(RateWindow.Kind.NEW)).isZero();
  }

  @Test
  void countsTheTenantsOfAUserAlone() {
    granted("acme", 3);
    granted("zeta", 5);

    assertThat(rates.read(Optional.of(Set.of("zeta"))).last(RateWindow.Kind.NEW, 60)).isEqualTo(5);
    assertThat(rates.read(Optional.of(Set.of())).last(RateWindow.Kind.NEW, 60)).isZero();
  }

  @Test
  void countsTenantsBeyondTheLimitTogether() {
    for (int i = 0; i < 500; i++) {
      granted("tenant-" + i, 1);
    }

    assertThat(total(RateWindow.Kind.NEW)).isEqualTo(500);
    assertThat(rates.read(Optional.of(Set.of("tenant-499"))).last(RateWindow.Kind.NEW, 60))
        .isZero();
  }

  @Test
  void alertsIfMoreThanThirtyPercentAreReplays() {
    granted("acme", 70);
    replayed("acme", 30);
    assertThat(alert("hit rate", 0, 0).isActive()).isFalse();

    replayed("acme", 1);
    assertThat(alert("hit rate", 0, 0).isActive()).isTrue();
  }

  @Test
  void alertsOnASpikeOfConcurrentRequests() {
    for (int minute = 0; minute < 9; minute++) {
      held(5);
      clock.advance(Duration.ofMinutes(1));
    }
    held(25);
    assertThat(alert("concurrent requests", 0, 0).isActive()).isFalse();

    held(5);
    assertThat(alert("concurrent requests", 0, 0).isActive()).isTrue();
  }

  @Test
  void alertsOnMoreThanAThousandStaleKeys() {
    assertThat(alert("stale keys", 5, 1000).isActive()).isFalse();
    assertThat(alert("stale keys", 5, 1001).isActive()).isTrue();
  }

  @Test
  void alertsIfTheRecordsDoubled() {
    assertThat(alert("growth", 100_000, 0).isActive()).isFalse();
    clock.advance(Duration.ofHours(2));
    assertThat(alert("growth", 200_000, 0).isActive()).isFalse();
    assertThat(alert("growth", 200_001, 0).isActive()).isTrue();
  }

  private Alert alert(String name, long entries, int stale) {
    return alerts
        .of(rates.read(Optional.empty()), Optional.of(new RecordCensus(entries, stale)))
        .stream()
        .filter(it -> it.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private long total(RateWindow.Kind kind) {
    return rates.read(Optional.empty()).last(kind, RateWindow.SLOTS);
  }

  private void granted(String tenant, int times) {
    for (int i = 0; i < times; i++) {
      rates.on(new EngineEvent.Granted(key(tenant), 1, 1));
    }
  }

  private void replayed(String tenant, int times) {
    for (int i = 0; i < times; i++) {
      rates.on(new EngineEvent.Replayed(key(tenant), Headers.NONE));
    }
  }

  private void held(int times) {
    for (int i = 0; i < times; i++) {
      rates.on(new EngineEvent.Held(key("acme"), Duration.ZERO));
    }
  }

  private static Key key(String tenant) {
    return new Key(tenant, "orders", "k");
  }
}
