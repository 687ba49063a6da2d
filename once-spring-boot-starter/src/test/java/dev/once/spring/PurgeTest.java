package dev.once.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.once.InMemoryRecordStore;
import dev.once.spi.RecordStore;
import dev.once.testkit.FaultPlan;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The purge in an application, on PostgreSQL. */
class PurgeTest {
  // A10, D3, E7, D11
  @Test
  void removesExpiredRecordsAndShowsHowManyAreLeft() throws Exception {
    try (OpsApp app =
        OpsApp.start(
            List.of(OpsApi.class, Runs.class),
            "once.purge.every=50ms",
            "once.purge.batch=2",
            "once.purge.max-batches=10")) {
      for (int i = 0; i < 5; i++) {
        app.post("/orders/1", "acme", "expired-" + i, "{}");
      }
      app.post("/orders/1", "acme", "alive", "{}");
      expire(app);
      awaitRuns(app, 3); // The first may have started before, and the gauges are updated last.

      assertThat(app.records()).isEqualTo(1);
      assertThat(app.state("alive")).isEqualTo("completed");
      assertThat(gauge(app, "idempotency_stale")).isZero();
      assertThat(gauge(app, "idempotency.stale_keys.count")).isZero();
    }
  }

  // D11
  @Test
  void showsWhatAPurgeLeftBehind() throws Exception {
    try (OpsApp app =
        OpsApp.start(
            List.of(OpsApi.class, Runs.class),
            "once.purge.every=50ms",
            "once.purge.batch=1",
            "once.purge.max-batches=1")) {
      app.sql().execute(INSERT_EXPIRED);
      awaitRuns(app, 3);

      assertThat(gauge(app, "idempotency_stale")).isEqualTo(10_000);
      assertThat(gauge(app, "idempotency.stale_keys.count")).isEqualTo(10_000);
    }
  }

  // D11
  @Test
  void showsRecordsThatCameAfterAPurge() {
    try (OpsApp app = OpsApp.start("once.purge.enabled=false")) {
      Polling.until(() -> gauge(app, "idempotency.cache_size.entries"), it -> it == 0);
      for (int i = 0; i < 3; i++) {
        app.post("/orders/1", "acme", "entry-" + i, "{}");
      }

      app.bean(EntriesGauge.class).count();

      assertThat(gauge(app, "idempotency.cache_size.entries")).isEqualTo(3);
      assertThat(gauge(app, "idempotency_entries")).isEqualTo(3);
    }
  }

  @Test
  void showsNoNumberOfRecordsThatCouldNotBeCounted() {
    try (OpsApp app = OpsApp.start("once.purge.enabled=false")) {
      app.bean(EntriesGauge.class).stop();
      app.sql().execute("ALTER TABLE once_record RENAME TO away");

      app.bean(EntriesGauge.class).count();

      assertThat(gauge(app, "idempotency_entries")).isNaN();
    }
  }

  /** The trap: a bean of type RecordStore is not found as a RecordAdmin, and is never purged. */
  @Test
  void purgesAStoreThatTheApplicationDeclaresAsAStore() {
    try (ConfigurableApplicationContext app = BareApplication.run()) {
      assertThat(app.getBeansOfType(PurgeSchedule.class)).hasSize(1);
    }
  }

  @Test
  void refusesAStoreThatCannotBePurged() {
    RecordStore store = FaultPlan.seeded(1).around(new InMemoryRecordStore());
    PurgeProperties settings = new PurgeProperties(true, Duration.ofHours(1), 10, 3);

    assertThatThrownBy(() -> new OncePurgeAutoConfiguration().oncePurge(store, settings, List.of()))
        .isInstanceOf(MisconfiguredException.class)
        .hasMessageContaining("is no RecordAdmin");
  }

  @Test
  void doesNotRunWhereItIsSwitchedOff() {
    try (OpsApp app = OpsApp.start("once.purge.enabled=false")) {
      assertThat(app.beans(PurgeSchedule.class)).isEmpty();
      assertThat(app.bean(MeterRegistry.class).find("idempotency_stale").gauge()).isNull();
    }
  }

  private static final String INSERT_EXPIRED =
      """
      INSERT INTO once_record (
        tenant, scope, key, format, state, recovery, fingerprint, fence, attempts, created_at,
        lease_until, expires_at, correlation, status, headers, body_form, body_bytes)
      SELECT 'acme', 'orders', n, 1, 'completed', 'rerun', 'f', n, 1,
        now(), now(), now() - interval '1 h', '', 0, '', 'none', 0
      FROM generate_series(1, 12000) AS n
      """;

  private static double gauge(OpsApp app, String name) {
    return app.bean(MeterRegistry.class).get(name).gauge().value();
  }

  private static void expire(OpsApp app) {
    app.sql()
        .update(
            "UPDATE once_record SET expires_at = now() - interval '1 h' WHERE key LIKE 'expired%'");
  }

  private static void awaitRuns(OpsApp app, int runs) throws InterruptedException {
    Semaphore done = app.bean(Runs.class).done;
    done.drainPermits();
    assertThat(done.tryAcquire(runs, 10, TimeUnit.SECONDS)).isTrue();
  }

  /** Counts runs. */
  @Configuration(proxyBeanMethods = false)
  static class Runs {
    final Semaphore done = new Semaphore(0);

    @Bean
    AfterPurge countRuns() {
      return done::release;
    }
  }
}
