package dev.once.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.KeyRing;
import dev.once.spi.OutcomeCache;
import dev.once.spi.RecordStore;
import dev.once.spring.Api.Answer;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Answers that are encrypted in the database, and tenants that may not have more of them. */
class AtRestTest {
  private static final String OLD = "once.sealing.keys.old=" + base64(1);
  private static final String NEW = "once.sealing.keys.new=" + base64(2);

  @Configuration(proxyBeanMethods = false)
  @Import(Shop.class)
  static class CountingShop {
    @Bean
    MeterRegistry registry() {
      return new SimpleMeterRegistry();
    }
  }

  @Configuration(proxyBeanMethods = false)
  @Import(Shop.class)
  static class ShopWithRing {
    @Bean
    KeyRing ring() {
      return KeyRing.of("own", new byte[KeyRing.KEY_BYTES]);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"transactional", "leased"})
  void executesNothingAgainWhenTheKeyIsGone(String mode) {
    PGSimpleDataSource database = App.newDatabase();
    String leased = "once.mode=" + mode;
    try (App app =
        App.start(CountingShop.class, database, leased, OLD, "once.sealing.current=old")) {
      assertThat(app.api().order("k", "umbrella").status()).isEqualTo(201);
      assertThat(formOf(database)).isEqualTo("sealed");
    }
    try (App app =
        App.start(CountingShop.class, database, leased, NEW, "once.sealing.current=new")) {
      Answer unreadable = app.api().order("k", "umbrella");
      assertThat(unreadable.status()).isEqualTo(500);
      assertThat(unreadable.body()).contains("\"code\":\"idempotency.outcome_unreadable\"");
      assertThat(events(app, "unreadable")).isEqualTo(1);
      assertThat(reportOf(app, database).toString()).contains("add that key to the ring");
    }
    try (App app =
        App.start(CountingShop.class, database, leased, NEW, OLD, "once.sealing.current=new")) {
      assertThat(app.api().order("k", "umbrella").replayed()).isTrue();
      assertThat(app.orders("umbrella")).isEqualTo(1);
    }
  }

  @Test
  void prefersTheRingOfTheApplication() {
    PGSimpleDataSource database = App.newDatabase();
    try (App app = App.start(ShopWithRing.class, database)) {
      app.api().order("k", "umbrella");

      assertThat(formOf(database)).isEqualTo("sealed");
      assertThat(app.api().order("k", "umbrella").replayed()).isTrue();
    }
  }

  @Test
  void refusesATenantAtItsLimitAndCountsThat() {
    try (App app = App.start(CountingShop.class, "once.limits.max-live-keys=1")) {
      app.api().order("a", "umbrella");

      Answer refused = app.api().order("b", "boots");

      assertThat(refused.status()).isEqualTo(429);
      assertThat(refused.body()).contains("\"code\":\"idempotency.too_many_keys\"");
      assertThat(app.orders("boots")).isZero();
      assertThat(events(app, "limited")).isEqualTo(1);
      assertThat(app.api().order("a", "umbrella").replayed()).isTrue();
    }
  }

  @Test
  void refusesBadKeysAndNeverShowsThem() {
    assertThat(report("once.sealing.current=old"))
        .contains("once.sealing.current is old, but once.sealing.keys has only []");
    assertThat(report(OLD)).contains("once.sealing.current does not say which");
    assertThat(report("once.sealing.current=a", "once.sealing.keys.a=c2VjcmV0"))
        .contains("key a must have 32 bytes, got 6")
        .contains("openssl rand -base64 32")
        .doesNotContain("=c2VjcmV0");
    assertThat(report("once.sealing.current=a", "once.sealing.keys.a=%secret%"))
        .contains("once.sealing.keys.a is no base64")
        .doesNotContain("=%secret%");
  }

  @Test
  void refusesALimitOfNothing() {
    assertThat(report("once.limits.max-in-flight=0"))
        .contains("once.limits: maxInFlight must be 1 to");
  }

  private static String report(String... settings) {
    List<String> all = new ArrayList<>(App.connection(App.newDatabase()));
    all.addAll(List.of(settings));
    return StartReport.ofStarting(Shop.class, all);
  }

  /** The report on the only record for an operator. */
  private static Map<String, Object> reportOf(App app, PGSimpleDataSource database) {
    Map<String, @Nullable Object> row =
        JdbcClient.create(database)
            .sql("SELECT tenant, scope, key FROM once_record")
            .query()
            .singleRow();
    OnceEndpoint endpoint =
        new OnceEndpoint(
            app.bean(RecordStore.class), OutcomeCache.NONE, new OperatorAudit(event -> {}));
    Map<String, Object> report =
        endpoint.find(
            String.valueOf(row.get("tenant")),
            String.valueOf(row.get("scope")),
            String.valueOf(row.get("key")));
    return Objects.requireNonNull(report);
  }

  private static double events(App app, String event) {
    return app.bean(MeterRegistry.class).get("once_events").tag("event", event).counter().count();
  }

  private static String formOf(PGSimpleDataSource database) {
    return JdbcClient.create(database)
        .sql("SELECT body_form FROM once_record")
        .query(String.class)
        .single();
  }

  private static String base64(int value) {
    byte[] key = new byte[KeyRing.KEY_BYTES];
    key[0] = (byte) value;
    return Base64.getEncoder().encodeToString(key);
  }
}
