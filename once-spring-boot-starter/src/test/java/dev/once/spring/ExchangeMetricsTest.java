package dev.once.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.once.Headers;
import dev.once.Result;
import dev.once.http.Caller;
import dev.once.http.Contract;
import dev.once.http.HttpAnswer;
import dev.once.http.HttpBody;
import dev.once.http.HttpCall;
import dev.once.http.HttpOnce;
import dev.once.http.HttpOperation;
import dev.once.http.Route;
import dev.once.json.Fingerprinter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.springframework.http.ResponseEntity;

/** What is counted; each test has a tenant of its own. */
@OnEachServer
class ExchangeMetricsTest {
  @Parameter Class<?> server = Servers.OnTomcat.class;

  @SuppressWarnings("NullAway.Init")
  private OpsApp app;

  @SuppressWarnings("NullAway.Init")
  private MeterRegistry meters;

  @BeforeParameterizedClassInvocation
  void use() {
    app = OpsApp.shared(server);
    meters = app.bean(MeterRegistry.class);
  }

  @AfterEach
  void answerAsUsual() {
    app.handlers().answer = () -> OpsApi.CREATED;
  }

  // A26, D11, E9
  @Test
  void countsAMissAndItsHitsByTenantEndpointAndStatus() {
    for (int i = 0; i < 3; i++) {
      app.post("/orders/1", "metrics-hit", "secret-key", "{}");
    }

    assertThat(count("idempotency_miss", "metrics-hit", "POST /orders/{id}", 201)).isEqualTo(1);
    assertThat(count("idempotency_hit", "metrics-hit", "POST /orders/{id}", 201)).isEqualTo(2);
    assertThat(meters.getMeters())
        .noneMatch(meter -> meter.getId().toString().contains("secret-key"));
  }

  @Test
  void countsAConflict() {
    app.post("/orders/1", "metrics-conflict", "k", "{}");
    app.post("/orders/1", "metrics-conflict", "k", "{\"other\":1}");

    assertThat(count("idempotency_conflict", "metrics-conflict", "POST /orders/{id}", 409))
        .isEqualTo(1);
  }

  // D11
  @Test
  void countsAConcurrentRequest() throws Exception {
    CountDownLatch started = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    app.handlers().answer =
        () -> {
          started.countDown();
          go.await();
          return OpsApi.CREATED;
        };

    var first = app.postLater("/payments/1", "metrics-concurrent", "k", "{}");
    assertThat(started.await(10, TimeUnit.SECONDS)).isTrue();
    double before = meters.get("idempotency.concurrent_requests.count").counter().count();
    app.post("/payments/1", "metrics-concurrent", "k", "{}");
    go.countDown();
    first.join();

    assertThat(count("idempotency_concurrent", "metrics-concurrent", "POST /payments/{id}", 409))
        .isEqualTo(1);
    assertThat(meters.get("idempotency.concurrent_requests.count").counter().count())
        .isEqualTo(before + 1);
  }

  // D11
  @Test
  void reportsTheShareOfReplays() {
    MeterRegistry registry = new SimpleMeterRegistry();
    ReplayMetrics metrics = new ReplayMetrics(registry);
    Gauge rate = registry.get("idempotency.cache_hit_rate").gauge();
    assertThat(rate.value()).isNaN();

    HttpOperation operation = operation("acme");
    HttpAnswer answer = HttpAnswer.of(201, Headers.NONE, new byte[0]);
    for (int i = 0; i < 3; i++) {
      metrics.answered(operation, operation.executed(answer));
    }
    metrics.answered(
        operation,
        operation.answer(new Result.Replayed<>(operation.request().key(), answer, Headers.NONE)));
    metrics.answered(operation, operation.storeUnavailable());

    assertThat(rate.value()).isEqualTo(0.25);
  }

  @Test
  void countsWhatTheEngineGaveBack() {
    double before = meters.counter("once_events", "event", "released").count();
    app.handlers().answer = () -> ResponseEntity.status(502).build();

    app.post("/payments/1", "metrics-released", "k", "{}");

    assertThat(meters.counter("once_events", "event", "released").count() - before).isEqualTo(1);
    for (String event : List.of("lease_lost", "outcome_unknown", "abandoned")) {
      assertThat(meters.get("once_events").tag("event", event).counter()).isNotNull();
    }
  }

  @Test
  void countsARefusalWhileTheStoreIsAway() {
    MeterRegistry registry = new SimpleMeterRegistry();
    HttpOperation operation = operation("acme");

    new ExchangeMetrics(registry, new TenantTags())
        .answered(operation, operation.storeUnavailable());

    assertThat(registry.get("idempotency_refused").tag("status", "503").counter().count())
        .isEqualTo(1);
  }

  @Test
  void countsARequestThatIsRefusedForItsKey() {
    app.post("/orders/1", "metrics-invalid", "a,b", "{}");

    assertThat(
            meters
                .get("idempotency_invalid")
                .tags("endpoint", "POST /orders/{id}", "reason", "key_invalid")
                .counter()
                .count())
        .isEqualTo(1);
  }

  @Test
  void tellsApartAThousandTenantsAndNoMore() {
    MeterRegistry registry = new SimpleMeterRegistry();
    ExchangeMetrics metrics = new ExchangeMetrics(registry, new TenantTags());

    for (int i = 0; i < TenantTags.MAX_TENANTS + 5; i++) {
      HttpOperation operation = operation("tenant-" + i);
      metrics.answered(operation, operation.storeUnavailable());
    }

    assertThat(registry.getMeters()).hasSize(TenantTags.MAX_TENANTS + 1);
    assertThat(registry.get("idempotency_refused").tag("tenant", "other").counter().count())
        .isEqualTo(5);
  }

  private double count(String name, String tenant, String endpoint, int status) {
    return meters
        .get(name)
        .tags("tenant", tenant, "endpoint", endpoint, "status", Integer.toString(status))
        .counter()
        .count();
  }

  private static HttpOperation operation(String tenant) {
    HttpCall call = HttpCall.of("POST", "/orders/1", "", List.of(), HttpBody.NONE);
    return new HttpOnce(Contract.STRICT, Fingerprinter.sha256())
        .operation(
            "k",
            call,
            Route.of("/orders/{id}", Route.Mode.LEASED),
            new Caller(tenant, "ann"),
            Headers.NONE);
  }
}
